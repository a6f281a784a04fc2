import { beforeEach, expect, test } from 'vitest';
import { newUuid } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';

const api = await useApi();
let account: TestAccount;
let channelId: string;

type Found = { id: string; found_message: { id: string; text: string } | null };

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, `/v1${path}`, { key, body });

/** A contact writes; answers the conversation. */
const write = async (text: string, sender = newUuid()): Promise<string> => {
  const body = anInboundMessage({ sender: { external_id: sender, first_name: 'Ada' }, text });
  const { body: taken } = await as<{ message: { id: string } }>('POST', `/channels/${channelId}/inbound`, body);
  return (await as<{ conversation_id: string }>('GET', `/messages/${taken.message.id}`)).body.conversation_id;
};

const list = async (query: Record<string, string>, key?: string): Promise<Found[]> => {
  const path = `/conversations?${new URLSearchParams({ order: 'latest_message', ...query }).toString()}`;
  return (await as<{ data: Found[] }>('GET', path, undefined, key)).body.data;
};

const find = async (search: string): Promise<string[]> => (await list({ search })).map(({ id }) => id);

beforeEach(async () => {
  account = await api.createAccount();
  channelId = (await as<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' })).body.id;
});

test.for([
  ['Where is order-1042?', ['order', 'ORDER', '1042', 'order 1042', 'order-1042', '1042 order', 'where is ord']],
  ['Übergröße, naïve Ärger', ['ubergroße', 'übergröße', 'NAIVE', 'arger', 'Ärger ubergro']],
  ['ПРИВЕТ, как дела?', ['привет', 'дела', 'как дел']],
  ['注文はどこですか', ['注文', 'どこ', '文']],
  ['mail me: ada@shop.example', ['ada@shop.example', 'shop.example', 'mail shop']],
  [`It's 50% off\n"today" \\ (a'b)`, ["it's", '50%', '"today"', "a'b", '\\ today']],
  ['“Smart” quotes – and a dash… it’s', ['smart', 'quotes and dash', 'it s', 'it’s', "it's", '“smart”']],
  ['7e8 1e48c7 3.14 -5 0x1f 2026-11-27', ['7e8', '1e48c7', '3.14', '-5', '0x1f', '2026-11-27', '27 11 2026']],
  [`${'x'.repeat(2_100)} behind a long word`, ['behind', 'long wor']],
] as const)('a message %j is found by its words, in any order, letter case and accents', async ([said, searches]) => {
  const id = await write(said);
  await write('Something else');
  for (const search of searches) expect([search, await find(search)]).toEqual([search, [id]]);
});

test('a word is found in accounts whose ids are anything', async () => {
  for (let made = 0; made < 40; made += 1) {
    account = await api.createAccount();
    channelId = (await as<{ id: string }>('POST', '/channels', { type: 'api', name: 'Shop' })).body.id;
    const id = await write('1042 blue');
    for (const search of ['blue', '1042'])
      expect([account.accountId, await find(search)]).toEqual([account.accountId, [id]]);
  }
});

test.for(['nothing', 'orde 1042', 'or', "'", '!!', "' | a:*", '1042 nothing', '%', 'rder'])(
  'a search for %j, which is in no message, finds none',
  async (search) => {
    await write('Where is order 1042?');
    expect(await find(search)).toEqual([]);
  },
);

test('what was found is shown around its word, the latest of a conversation, and not for who is found by name', async () => {
  const sender = newUuid();
  await write('The parcel of March', sender);
  const id = await write(`${'Something else. '.repeat(30)}The parcel of April came.`, sender);
  await write('Thank you', sender);
  const [found] = await list({ search: 'pärcel' });
  expect(found?.id).toBe(id);
  expect(found?.found_message?.text).toMatch(/^….{10,20}parcel of April came\.$/);
  expect(await list({ search: 'ada' })).toEqual([expect.objectContaining({ id, found_message: null })]);
  expect(await list({})).toEqual([expect.objectContaining({ id, found_message: null })]);
});

test('what an agent wrote is found, and what a contact has changed by its new words alone', async () => {
  const id = await write('Hello');
  await as('POST', `/conversations/${id}/messages`, { text: 'It left on Monday', client_ref: newUuid() });
  expect(await find('monday')).toEqual([id]);
  expect(await find('hello')).toEqual([id]);
});

test('a search by text keeps to its account, its filters, its tag and its order, and is counted', async () => {
  const first = await write('The blue one');
  const second = await write('A blue one, please');
  expect(await find('blue')).toEqual([second, first]);
  await as('POST', `/conversations/${second}/close`);
  expect((await list({ search: 'blue', status: 'open' })).map(({ id }) => id)).toEqual([first]);
  const { body } = await as<{ contact_id: string }>('GET', `/conversations/${first}`);
  await as('PUT', `/contacts/${body.contact_id}/tags/vip`);
  expect((await list({ search: 'blue', tag: 'vip' })).map(({ id }) => id)).toEqual([first]);
  expect((await as<object>('GET', '/conversations/count?search=blue')).body).toEqual({ count: 2, more: false });
  const other = await api.createAccount();
  expect(await list({ search: 'blue' }, other.apiKey)).toEqual([]);
});

test('a search by text looks at a hundred conversations, the latest first', async () => {
  const first = await write('A blue one');
  for (let made = 0; made < 100; made += 1) await write('The blue one');
  const found = (await list({ search: 'blue', limit: '200' })).map(({ id }) => id);
  expect(found).toHaveLength(100);
  expect(found).not.toContain(first);
});

test('marks without end on a letter cost a message next to nothing', async () => {
  // The least of several times, because the machine may do something else.
  const timed = async (text: string): Promise<number> => {
    const times: number[] = [];
    for (let time = 0; time < 5; time += 1) {
      const begun = performance.now();
      await api.db`select search_vector('', ${text})`;
      times.push(performance.now() - begun);
    }
    return Math.min(...times);
  };
  const plain = await timed('äö '.repeat(3_333));
  // By turns of two classes, which normalizing puts in order.
  expect(await timed(`a${'\u0301\u0316'.repeat(5_000)}`)).toBeLessThan(plain * 5 + 50);
});
