import { beforeEach, expect, test } from 'vitest';
import { readId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';

type Channel = { id: string; type: string; name: string; created_at: string };

const api = await useApi();
let account: TestAccount;
let channel: Channel;
beforeEach(async () => {
  account = await api.createAccount();
  channel = await createChannel();
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, path, { key, body });

const createChannel = async (): Promise<Channel> =>
  (await as<Channel>('POST', '/v1/channels', { type: 'api', name: 'Shop' })).body;

test('a channel is created, read and listed, newest first', async () => {
  const second = await createChannel();
  expect(second).toEqual({
    id: expect.stringMatching(/^chn_/),
    type: 'api',
    name: 'Shop',
    created_at: expect.any(String),
  });
  expect((await as('GET', `/v1/channels/${second.id}`)).body).toEqual(second);
  expect((await as('GET', '/v1/channels')).body).toEqual({ data: [second, channel], next_cursor: null });
});

test('another type or no name is 422', async () => {
  expect((await as('POST', '/v1/channels', { type: 'fax', name: 'Shop' })).status).toBe(422);
  expect((await as('POST', '/v1/channels', { type: 'api', name: '' })).status).toBe(422);
});

test("another account's channel is 404, and takes no message", async () => {
  const stranger = await api.createAccount();
  const asStranger = <Body>(method: string, path: string, body?: unknown) =>
    as<Body>(method, path, body, stranger.apiKey);
  expect((await asStranger('GET', `/v1/channels/${channel.id}`)).status).toBe(404);
  const answer = await asStranger('POST', `/v1/channels/${channel.id}/inbound`, anInboundMessage());
  expect(answer.status).toBe(404);
  expect((await asStranger<{ data: [] }>('GET', '/v1/channels')).body.data).toEqual([]);
  expect((await api.db`select 1 from messages where channel_id = ${readId('channel', channel.id)}`).count).toBe(0);
});
