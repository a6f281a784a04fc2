import { beforeEach, expect, test } from 'vitest';
import { withGenericPlan } from '../../src/shared/platform/db/plans.ts';
import { listDeliveries, type DeliveryFilter } from '../../src/shared/deliveries/queries.ts';
import { variants, type Variant } from '../../src/shared/facts/names.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { forgetEventsOfMessages } from '../helpers/states/conversations.ts';
import { manyDeliveries } from '../helpers/deliveries.ts';
import { farFromMidnight } from '../helpers/midnight.ts';

const api = await useApi();
let account: TestAccount;
let channel: string;

const post = async <Body>(path: string, body: object) => {
  const answer = await api.request<Body>('POST', `/v1${path}`, { key: account.apiKey, body });
  expect(answer.status).toBeLessThan(300);
  return answer.body;
};

beforeEach(async () => {
  account = await api.createAccount();
  const { id } = await post<{ id: string }>('/webhooks', {
    url: 'https://127.0.0.1:8443/hook',
    events: ['*'],
    secret: 'choose-a-long-secret',
  });
  const made = await post<{ id: string }>('/channels', { type: 'api', name: 'App' });
  channel = made.id;
  await post(`/webhooks/${id}/test`, { event: 'order_placed' });
});

type Received = { message: { id: string }; contact_id: string; event_id: string; duplicate: boolean };

const receive = (messageId: string, from: string) =>
  post<Received>(`/channels/${channel}/inbound`, { message_id: messageId, sender: { external_id: from }, text: 'Hi' });

type Listed = { id: string; event: string; event_id: string; contact_id: string | null; is_test: boolean };

const list = (query: string) =>
  api.request<{ data: Listed[] }>('GET', `/v1/deliveries?${query}`, { key: account.apiKey });

const listed = async (query: string) => (await list(query)).body.data;

test('the answer to an inbound message names its event, whose deliveries the log then shows', async () => {
  const received = await receive('m-1', 'ada');
  await receive('m-2', 'ada');
  expect(received.event_id).toMatch(/^evt_/);
  const found = await listed(`event_id=${received.event_id}`);
  expect(found).toEqual([expect.objectContaining({ event: 'new_message', event_id: received.event_id })]);
  const again = await receive('m-1', 'ada');
  expect(again).toEqual({ ...received, duplicate: true });
});

test('filters by message', async () => {
  const { message, event_id } = await receive('m-1', 'ada');
  await receive('m-2', 'ada');
  expect(await listed(`message_id=${message.id}`)).toEqual([
    expect.objectContaining({ event: 'new_message', event_id }),
  ]);
  expect(await listed(`message_id=${showId('message', newUuid())}`)).toEqual([]);
});

test('filters by a message that version 0.2 received, which did not keep its event', async () => {
  const { message, event_id } = await receive('m-1', 'ada');
  await receive('m-2', 'ada');
  await forgetEventsOfMessages(api.db);
  expect(await listed(`message_id=${message.id}`)).toEqual([expect.objectContaining({ event_id })]);
  expect(await receive('m-1', 'ada')).toMatchObject({ event_id: null, duplicate: true });
});

test('filters by contact', async () => {
  const { contact_id } = await receive('m-1', 'ada');
  await receive('m-2', 'bob');
  const found = await listed(`contact_id=${contact_id}`);
  expect(found.map(({ event, contact_id: id }) => [event, id])).toEqual([
    ['new_message', contact_id],
    ['new_contact', contact_id],
  ]);
});

test('filters by the name of the event', async () => {
  await receive('m-1', 'ada');
  await receive('m-2', 'ada');
  expect((await listed('event=new_message')).map(({ event }) => event)).toEqual(['new_message', 'new_message']);
  expect((await listed('event=new_contact')).map(({ event }) => event)).toEqual(['new_contact']);
  expect(await listed('event=tag_applied')).toEqual([]);
});

test('shows test events only, or none of them', async () => {
  await receive('m-1', 'ada');
  expect((await listed('test=true')).map(({ event, is_test }) => [event, is_test])).toEqual([['order_placed', true]]);
  expect((await listed('test=false')).map(({ event }) => event)).toEqual(['new_message', 'new_contact']);
});

test("takes several filters together, and finds nothing by another account's ids", async () => {
  const { contact_id, message, event_id } = await receive('m-1', 'ada');
  expect(await listed(`contact_id=${contact_id}&event=new_contact&test=false`)).toHaveLength(1);
  expect(await listed(`contact_id=${contact_id}&event=new_contact&test=true`)).toEqual([]);
  account = await api.createAccount();
  for (const query of [`contact_id=${contact_id}`, `message_id=${message.id}`, `event_id=${event_id}`]) {
    expect(await listed(query)).toEqual([]);
  }
});

test('takes a date for a time: its midnight on the clock of the account, which is UTC unless set', async () => {
  await farFromMidnight();
  await receive('m-1', 'ada');
  const [row] = await api.db<{ today: string; tomorrow: string }[]>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as today,
      to_char(now() at time zone 'UTC' + interval '1 day', 'YYYY-MM-DD') as tomorrow`;
  expect(await listed(`event=new_message&since=${row?.today}&until=${row?.tomorrow}`)).toHaveLength(1);
  expect(await listed(`event=new_message&since=${row?.tomorrow}`)).toEqual([]);
  expect(await listed(`event=new_message&until=${row?.today}`)).toEqual([]);
});

test.each([
  ['event=lost', 'event', 'must be of new_message, '],
  ['event_id=msg_01h455vb4pex5vsknk084sn02q', 'event_id', 'is not the id of an event'],
  ['contact_id=ada', 'contact_id', 'is not the id of a contact'],
  ['message_id=m-1', 'message_id', 'is not the id of a message'],
  ['test=yes', 'test', 'must be true or false'],
  ['since=2026-02-30', 'since', 'has a day that no calendar has: 2026-02-30'],
  ['since=12:00', 'since', 'must be a date, such as 2026-03-01, or a date and a time, such as 2026-03-01T10:00'],
  ['until=0000-01-01', 'until', 'must be within the years 1 to 9999'],
])('refuses %s, and says what it should be', async (query, path, message) => {
  const answer = await api.request<{ error: { details: object[] } }>('GET', `/v1/deliveries?${query}`, {
    key: account.apiKey,
  });
  expect(answer.status).toBe(422);
  expect(answer.body.error.details).toMatchObject([{ path, message: expect.stringContaining(message) }]);
});

test('each filter is served by an index, however long the log is', async () => {
  const { accountId } = account;
  const { contact_id, event_id } = await receive('m-1', 'ada');
  const others = { accountId, webhookId: newUuid(), eventName: 'order_placed', status: 'delivered' } as const;
  await manyDeliveries(api.db, { ...others, bodyBytes: 0, count: 30_000 });
  await api.db`analyze deliveries`;
  const rowsRead = (filter: DeliveryFilter, scope: readonly Variant[]): Promise<number> =>
    withGenericPlan(api.db, async (sql) => {
      const read = async (): Promise<number> => {
        const [row] = await sql<{ count: number }[]>`
          select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
          from pg_stat_xact_user_tables where relname like 'deliveries%'`;
        return row?.count ?? 0;
      };
      // What earlier transactions of this connection have read may be among it still.
      const before = await read();
      await listDeliveries(sql, { accountId, variants: scope }, { ...filter, limit: 50 });
      return (await read()) - before;
    });

  for (const scope of [['api'], variants] as const) {
    expect(await rowsRead({ contactId: readId('contact', contact_id) }, scope)).toBeLessThan(10);
    expect(await rowsRead({ eventId: readId('event', event_id) }, scope)).toBeLessThan(40_000);
    expect(await rowsRead({ eventName: 'new_message' }, scope)).toBeLessThan(10);
    expect(await rowsRead({ isTest: true }, scope)).toBeLessThan(10);
  }
});
