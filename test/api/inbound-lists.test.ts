import { expect, test } from 'vitest';
import { useApi } from '../helpers/api.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { anInboundMessage } from '../helpers/builders.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { deliveriesOf } from '../helpers/items.ts';

type Problem = { path: string; message: string };
type Outcome = {
  status: number;
  message?: { id: string };
  duplicate?: boolean;
  error?: { code: string; message: string; details?: Problem[] };
};
type Answer = { data: Outcome[]; error: { code: string; message: string; details: Problem[] } };

const api = await useApi({ config: { rateLimitPerMinute: 300 } });

const start = async () => {
  const account = await api.createAccount();
  const key = account.apiKey;
  const { body: channel } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  const hand = (body: unknown, headers: Record<string, string> = {}) =>
    api.request<Answer>('POST', `/v1/channels/${channel.id}/inbound`, { key, body, headers });
  const texts = async () =>
    (
      await api.db<{ text: string }[]>`
      select text from messages where account_id = ${account.accountId} order by seq`
    ).map(({ text }) => text);
  return { ...account, hand, texts };
};

const sender = { external_id: 'ada' };
const messages = (count: number) =>
  Array.from({ length: count }, (_, n) => anInboundMessage({ sender, text: `text ${n}` }));

test('a list of messages is taken in its order, each with its own answer', async () => {
  const { accountId, hand, texts } = await start();
  await insertWebhook(api.deps, { accountId, url: 'https://a.example/', events: ['new_message'] });
  const before = deliveriesOf(api.dispatched).length;
  const { status, body } = await hand(messages(100));
  expect(status).toBe(202);
  expect(body.data.map((one) => [one.status, one.duplicate])).toEqual(Array.from({ length: 100 }, () => [202, false]));
  expect(new Set(body.data.map(({ message }) => message?.id)).size).toBe(100);
  expect(await texts()).toEqual(messages(100).map(({ text }) => text));
  expect(deliveriesOf(api.dispatched)).toHaveLength(before + 100);
});

test('a bad message spoils no other: it has the status and the problems that it would have alone', async () => {
  const { hand, texts } = await start();
  const [first, last] = messages(2);
  const bad = [
    { ...anInboundMessage(), text: '' },
    { ...anInboundMessage({ sender }), text: 'x'.repeat(10_001) },
    'no message',
    { message_id: 1, colour: 'red' },
  ];
  const { status, body } = await hand([first, ...bad, last]);
  expect(status).toBe(202);
  expect(body.data.map((one) => one.status)).toEqual([202, 422, 422, 422, 422, 202]);
  for (const [index, message] of bad.entries()) {
    const alone = await hand(JSON.stringify(message));
    const { request_id: _id, ...error } = { request_id: '', ...alone.body.error };
    expect([alone.status, error]).toEqual([422, body.data[index + 1]?.error]);
  }
  expect(await texts()).toEqual(['text 0', 'text 1']);
});

test('the same message twice in a list is one message, the second a duplicate', async () => {
  const { hand, texts } = await start();
  const [message] = messages(1);
  const { body } = await hand([message, message]);
  expect(body.data.map(({ duplicate }) => duplicate)).toEqual([false, true]);
  expect(body.data[0]?.message).toEqual(body.data[1]?.message);
  expect(await texts()).toHaveLength(1);
});

test.for([
  { what: 'an empty list', body: [], message: 'must have at least 1 item', code: 'too_small' },
  { what: 'a list of 101', body: messages(101), message: 'must have at most 100 items', code: 'too_big' },
  {
    what: 'a list of more than 25,000 values',
    body: [Array.from({ length: 25_000 }, () => 0)],
    message: 'must hold at most 25000 values',
    code: 'too_big',
  },
])('$what is 422 as a whole, and makes nothing', async ({ body, message, code }) => {
  const { hand, texts } = await start();
  const answer = await hand(body);
  expect([answer.status, answer.body.error.details]).toEqual([422, [{ path: '', message, code }]]);
  expect(await texts()).toEqual([]);
});

test('a list to a channel that is not there is 404', async () => {
  const { apiKey: key } = await start();
  const path = '/v1/channels/chn_01m7yvw2d8fakacgw5tq1n4xwe/inbound';
  expect((await api.request('POST', path, { key, body: messages(2) })).status).toBe(404);
});

test('an Idempotency-Key covers the whole list, and twins at the same time', async () => {
  const { hand, texts } = await start();
  const list = [...messages(3), { text: 'bad' }];
  const headers = { 'idempotency-key': 'list-1' };
  const [one, other] = await Promise.all([hand(list, headers), hand(list, headers)]);
  expect(one.text).toBe(other.text);
  expect([one, other].filter(({ headers: given }) => given['idempotent-replayed'] === 'true')).toHaveLength(1);
  expect(one.body.data.map(({ status, duplicate }) => [status, duplicate])).toEqual([
    [202, false],
    [202, false],
    [202, false],
    [422, undefined],
  ]);
  expect(await texts()).toHaveLength(3);
  expect((await hand(messages(1), headers)).status).toBe(422);
});

test('a list takes as many requests from the budget as it has messages, and is refused whole where it has too many', async () => {
  const { hand, texts } = await start();
  const first = await hand(messages(100));
  // One request went for the channel.
  expect(first.headers['ratelimit-remaining']).toBe('199');
  await hand(messages(100));
  const refused = await hand(messages(100));
  expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(await texts()).toHaveLength(200);
  expect((await hand(messages(98))).status).toBe(202);
});

test('lists of one account, each a transaction that waits, hold four connections: others go on', async () => {
  const [slow, other] = [await start(), await start()];
  const [message] = messages(1);
  await slow.hand(message);
  const released = Promise.withResolvers<void>();
  const holding = api.db.begin(async (sql) => {
    // Whoever writes a message looks at its channel.
    await sql`select from channels where account_id = ${slow.accountId} for update`;
    await released.promise;
  });
  const lists = Array.from({ length: 40 }, (_, n) => slow.hand(messages(1), { 'idempotency-key': `list-${n}` }));
  await untilSomebodyWaits(api.db);
  expect((await other.hand(message)).status).toBe(202);
  const waiting = await api.db`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  expect(waiting.count).toBeLessThanOrEqual(4);
  released.resolve();
  await holding;
  expect((await Promise.all(lists)).map(({ status }) => status)).toEqual(lists.map(() => 202));
});
