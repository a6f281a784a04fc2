import { beforeEach, expect, test } from 'vitest';
import { type TestAccount, useApi } from '../../helpers/api.ts';
import { aChat, anIdentity, aVisitor, type TestWebchat } from '../../helpers/webchat/visitor.ts';

const api = await useApi();
let account: TestAccount;
let channel: TestWebchat;
beforeEach(async () => {
  ({ account, channel } = await aChat(api));
});

const visitorOf = (id = '', key = account.apiKey) => api.request('GET', `/v1/conversations/${id}/visitor`, { key });
const context = { url: 'https://shop.example/shoes', title: 'Shoes', referrer: 'https://search.example/' };

test('agents read for whom the server vouches, and what the page says, apart from each other', async () => {
  const visitor = aVisitor(api, channel);
  await visitor.identify({ ...anIdentity(channel.secret, 'user-17'), name: 'Ada', email: 'ada@example.com' });
  await visitor.say('Hello', { context });
  const { conversation } = await visitor.read();
  expect((await visitorOf(conversation?.id)).body).toEqual({
    identified_as: 'user-17',
    name: 'Ada',
    email: 'ada@example.com',
    ...context,
  });
});

test('agents see that a visitor is anonymous, and the page is that of the last message', async () => {
  const visitor = aVisitor(api, channel);
  await visitor.say('Hello', { context });
  await visitor.say('Again', { context: { url: 'https://shop.example/hats' } });
  const { conversation } = await visitor.read();
  expect((await visitorOf(conversation?.id)).body).toMatchObject({
    identified_as: null,
    name: null,
    email: null,
    url: 'https://shop.example/hats',
    title: null,
  });
});

test('there is no visitor of a conversation over another channel, or of another account: 404', async () => {
  const key = account.apiKey;
  const server = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Server' },
  });
  await api.request('POST', `/v1/channels/${server.body.id}/inbound`, {
    key,
    body: { message_id: 'm-1', sender: { external_id: 'ada' }, text: 'Hello' },
  });
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/conversations', { key });
  expect((await visitorOf(body.data[0]?.id)).status).toBe(404);
  const visitor = aVisitor(api, channel);
  await visitor.say('Hello');
  const { conversation } = await visitor.read();
  expect((await visitorOf(conversation?.id, (await api.createAccount()).apiKey)).status).toBe(404);
});
