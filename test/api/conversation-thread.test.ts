import { beforeEach, expect, test } from 'vitest';
import { exampleId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { anInboundMessage } from '../helpers/builders.ts';

type Row = { id: string };
type Part = { messages: Row[]; notes: Row[]; acts: Row[]; older_cursor: string | null; newer_cursor: string | null };
type Refused = { error: { code: string } };
type Message = Row & { conversation_id: string; text: string };

const api = await useApi();
let account: TestAccount;
let channelId: string;
beforeEach(async () => {
  account = await api.createAccount();
  channelId = (await as<Row>('POST', '/channels', { type: 'api', name: 'Shop' })).body.id;
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body & Refused>(method, `/v1${path}`, { key, ...(body !== undefined && { body }) });

const write = async (texts: readonly string[], sender = 'ada'): Promise<void> => {
  const messages = texts.map((text) => anInboundMessage({ sender: { external_id: sender }, text }));
  await as('POST', `/channels/${channelId}/inbound`, messages);
};

const conversationOf = async (place = 0): Promise<string> =>
  (await as<{ data: Row[] }>('GET', '/conversations')).body.data[place]?.id ?? expect.fail('there is none');

const messagesOf = async (id: string): Promise<Message[]> =>
  (await as<{ data: Message[] }>('GET', `/conversations/${id}/messages?limit=200`)).body.data;

const placeOf = ({ id }: Row): string => id.slice(id.lastIndexOf('_') + 1);
const newestFirst = (rows: readonly Row[]): string[] =>
  rows.toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1)).map(({ id }) => id);
const idsOf = ({ messages, notes, acts }: Part): string[] => newestFirst([...messages, ...notes, ...acts]);

/** A conversation of sixty messages between which notes and acts stand, and all of its ids, newest first. */
const aThread = async (): Promise<{ id: string; all: string[] }> => {
  await write(['The first']);
  const id = await conversationOf();
  for (let round = 0; round < 6; round += 1) {
    await write(Array.from({ length: 10 }, (_, place) => `Message ${round * 10 + place}`));
    await as('POST', `/conversations/${id}/notes`, { text: `Note ${round}` });
    await as('POST', `/conversations/${id}/${round % 2 === 0 ? 'snooze' : 'unread'}`, { until: null });
    await as('POST', '/handovers', { conversation_id: id, reason: 'Help' });
    await as('POST', `/conversations/${id}/hand-back`);
  }
  const read = async (kind: string) =>
    (await as<{ data: Row[] }>('GET', `/conversations/${id}/${kind}?limit=200`)).body.data;
  const [messages, notes, acts] = [await read('messages'), await read('notes'), await read('acts')];
  expect([messages.length, notes.length]).toEqual([61, 6]);
  expect(acts.length).toBeGreaterThan(6);
  return { id, all: newestFirst([...messages, ...notes, ...acts]) };
};

const part = async (id: string, query: string): Promise<Part> =>
  (await as<Part>('GET', `/conversations/${id}/thread?${query}`)).body;

test('a thread is read around any message and on to both ends, without a gap and nothing twice', async () => {
  const { id, all } = await aThread();
  const messages = all.filter((one) => one.startsWith('msg_'));
  for (const limit of [1, 7, 200]) {
    for (const around of [messages[0], messages[30], messages.at(-1)]) {
      const first = await part(id, `around=${around}&limit=${limit}`);
      expect(idsOf(first)).toContain(around);
      let ids = idsOf(first);
      for (let cursor = first.older_cursor; cursor !== null;) {
        const next = await part(id, `cursor=${cursor}&limit=${limit}`);
        expect(idsOf(next).length).toBeLessThanOrEqual(limit);
        ids = [...ids, ...idsOf(next)];
        cursor = next.older_cursor;
      }
      for (let cursor = first.newer_cursor; cursor !== null;) {
        const next = await part(id, `cursor=${cursor}&limit=${limit}`);
        ids = [...idsOf(next), ...ids];
        cursor = next.newer_cursor;
      }
      expect(ids).toEqual(all);
    }
  }
});

test('a part has as many rows of all kinds together as are asked for, with the message in its middle', async () => {
  const { id, all } = await aThread();
  const middle = all.filter((one) => one.startsWith('msg_'))[30];
  const ids = idsOf(await part(id, `around=${middle}&limit=20`));
  expect(ids).toHaveLength(20);
  expect(ids.indexOf(middle ?? '')).toBe(10);
  const newest = await part(id, 'limit=20');
  expect(idsOf(newest)).toEqual(all.slice(0, 20));
  expect(newest.newer_cursor).toBe(null);
});

test('a part says whether something came after it, and is read on to that', async () => {
  await write(['One', 'Two']);
  const id = await conversationOf();
  const [two] = await messagesOf(id);
  const whole = await part(id, `around=${two?.id}`);
  expect([whole.older_cursor, whole.newer_cursor]).toEqual([null, null]);
  const older = await part(id, 'limit=1');
  await write(['Three']);
  const next = await part(id, `cursor=${older.older_cursor}`);
  expect((await part(id, `cursor=${next.newer_cursor}`)).messages).toHaveLength(2);
});

test.for([
  ['limit=0', 422],
  ['limit=201', 422],
  ['limit=a', 422],
  ['cursor=x', 422],
  ['cursor=bAAAAAAAAAAAAAAAAAAAAAA', 422],
  ['cursor=oAAAAAAAAAAAAAAAAAAAAAA', 200],
  ['around=1', 422],
  [`around=${exampleId('contact')}`, 422],
  [`around=${exampleId('message')}`, 404],
  [`around=${exampleId('message')}&cursor=oAAAAAAAAAAAAAAAAAAAAAA`, 422],
  ['before=1', 422],
] as const)('a part of a thread by %s is answered %i', async ([query, status]) => {
  await write(['Hello']);
  expect((await as('GET', `/conversations/${await conversationOf()}/thread?${query}`)).status).toBe(status);
});

test('a thread is read around no message of another conversation, and by no other account', async () => {
  await write(['Mine'], 'ada');
  await write(['Hers'], 'grace');
  const [one, other] = [await conversationOf(0), await conversationOf(1)];
  const [message] = await messagesOf(other);
  expect((await as('GET', `/conversations/${one}/thread?around=${message?.id}`)).status).toBe(404);
  const stranger = await api.createAccount();
  for (const query of ['', `around=${message?.id}`]) {
    const refused = await as('GET', `/conversations/${other}/thread?${query}`, undefined, stranger.apiKey);
    expect([refused.status, refused.body.error.code]).toEqual([404, 'not_found']);
  }
});
