import { beforeEach, expect, test } from 'vitest';
import { newUuid, readId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { haveManyConversations, tagManyContacts } from '../helpers/states/conversations.ts';

const api = await useApi();
let account: TestAccount;
let channelId: string;

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, `/v1${path}`, { key, body });

/** A contact writes; answers the ids of the contact and the conversation. */
const write = async (sender: object) => {
  const body = anInboundMessage({ sender: { external_id: newUuid(), ...sender } });
  const { body: taken } = await as<{ message: { id: string } }>('POST', `/channels/${channelId}/inbound`, body);
  const { body: message } = await as<{ contact_id: string; conversation_id: string }>(
    'GET',
    `/messages/${taken.message.id}`,
  );
  return message;
};

const find = async (query: Record<string, string>, key?: string): Promise<string[]> => {
  const path = `/conversations?${new URLSearchParams(query).toString()}`;
  const { body } = await as<{ data: { id: string }[] }>('GET', path, undefined, key);
  return body.data.map(({ id }) => id);
};

beforeEach(async () => {
  account = await api.createAccount();
  channelId = (await as<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' })).body.id;
});

test('conversations are found by their contact: name, last name, e-mail address, phone, external id, in any order', async () => {
  const ada = await write({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', phone: '+4930123456' });
  const grace = await write({ first_name: 'Grace', last_name: 'Hopper' });
  const { body: contact } = await as<{ external_id: string | null }>('PATCH', `/contacts/${grace.contact_id}`, {
    external_id: 'user-17',
  });
  expect(contact.external_id).toBe('user-17');
  const { conversation_id: first } = ada;
  const { conversation_id: second } = grace;
  for (const [found, ...texts] of [
    [first, 'ada', 'LOVE', 'Ada L', 'ada@ex', '+4930 12'],
    [second, 'grace', 'hop', 'user-1'],
  ])
    for (const search of texts) expect([search, await find({ search })]).toEqual([search, [found]]);
  for (const search of ['nobody', '%', '_da']) expect([search, await find({ search })]).toEqual([search, []]);
  await as('POST', `/conversations/${first}/close`);
  expect(await find({ search: 'ada', status: 'open' })).toEqual([]);
  expect(await find({ search: 'ada', order: 'latest_message' })).toEqual([first]);
  const { body: count } = await as<{ count: number }>('GET', '/conversations/count?search=ada');
  expect(count.count).toBe(1);
});

test('a search finds nothing of another account, and is refused where it is empty or too long', async () => {
  await write({ first_name: 'Ada' });
  const other = await api.createAccount();
  expect(await find({ search: 'ada' }, other.apiKey)).toEqual([]);
  for (const search of ['', 'x'.repeat(256)])
    expect((await as('GET', `/conversations?search=${search}`)).status).toBe(422);
});

const tag = (contactId: string, name: string) => as('PUT', `/contacts/${contactId}/tags/${name}`);
const orders = ['opened', 'latest_message'] as const;

test.for(orders)('a tag in any letter case filters conversations, alone and with a search, by %s', async (order) => {
  const ada = await write({ first_name: 'Ada' });
  const grace = await write({ first_name: 'Grace' });
  await write({ first_name: 'Adam' });
  for (const { contact_id: contactId } of [ada, grace]) await tag(contactId, 'vip');
  const both = [grace.conversation_id, ada.conversation_id];
  expect(await find({ order, tag: 'VIP' })).toEqual(both);
  expect(await find({ order, tag: 'vip', search: 'ada' })).toEqual([ada.conversation_id]);
  expect(await find({ order, tag: 'nobody' })).toEqual([]);
  const other = await api.createAccount();
  expect(await find({ order, tag: 'vip' }, other.apiKey)).toEqual([]);
  const { body: first } = await as<{ next_cursor: string }>('GET', `/conversations?order=${order}&tag=vip&limit=1`);
  expect(await find({ order, tag: 'vip', limit: '1', cursor: first.next_cursor })).toEqual([ada.conversation_id]);
});

test.for(orders)('a tag of more contacts than are looked up filters conversations the same, by %s', async (order) => {
  const ada = await write({ first_name: 'Ada' });
  await write({ first_name: 'Grace' });
  await tag(ada.contact_id, 'everybody');
  const { body: tags } = await as<{ data: { id: string }[] }>('GET', '/tags');
  await tagManyContacts(api.db, readId('tag', tags.data[0]?.id ?? ''), 600);
  expect(await find({ order, tag: 'everybody' })).toEqual([ada.conversation_id]);
  const { body: counted } = await as<object>('GET', '/conversations/count?tag=everybody');
  expect(counted).toEqual({ count: 1, more: false });
});

test.for(orders)(
  'a tag of many contacts is found behind more conversations than are read first, by %s',
  async (order) => {
    const ada = await write({ first_name: 'Ada' });
    await tag(ada.contact_id, 'everybody');
    const { body: tags } = await as<{ data: { id: string }[] }>('GET', '/tags');
    await tagManyContacts(api.db, readId('tag', tags.data[0]?.id ?? ''), 600);
    await haveManyConversations(api.db, account.accountId, { contacts: 10_001, messages: 1 });
    expect(await find({ order, tag: 'everybody' })).toEqual([ada.conversation_id]);
  },
);

test('a search looks at the conversations of a hundred contacts, and not at more', async () => {
  for (let made = 0; made <= 100; made += 1) await write({ first_name: 'Many' });
  expect(await find({ search: 'many', limit: '200' })).toHaveLength(100);
});
