import { beforeAll, expect, test } from 'vitest';
import { listEventsOf } from '../../src/shared/events/queries.ts';
import { newUuid, readId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';
import { anInboundMessage, anOrder } from '../helpers/builders.ts';
import { flowCalls } from '../helpers/flows.ts';
import { setRole } from '../helpers/states/accounts.ts';

type Kind = 'message' | 'event' | 'tag' | 'order' | 'run';
type Told = { id?: string; name?: string; event?: string; data?: unknown };
type Entry = { type: Kind; at: string } & Partial<Record<Kind, Told>>;
type Page = { data: Entry[]; next_cursor: string | null };

const api = await useApi();
const account = await api.createAccount();

const as = <Body = { id: string }>(method: string, path: string, body?: unknown) =>
  api.request<Body>(method, `/v1${path}`, { key: account.apiKey, body });
const read = async (id: string, query = '') => (await as<Page>('GET', `/contacts/${id}/timeline?${query}`)).body;

let contact: string;
let other: string;
let made: { message: string; order: string; run: string };
beforeAll(async () => {
  const channel = await as('POST', '/channels', { type: 'api', name: 'Shop' });
  const receive = async () =>
    (
      await as<{ contact_id: string; message: { id: string } }>(
        'POST',
        `/channels/${channel.body.id}/inbound`,
        anInboundMessage(),
      )
    ).body;
  const { contact_id, message } = await receive();
  contact = contact_id;
  other = (await receive()).contact_id;
  for (const name of ['vip', 'gone']) await as('PUT', `/contacts/${contact}/tags/${name}`);
  await as('DELETE', `/contacts/${contact}/tags/gone`);
  const order = await as('POST', '/orders', anOrder(contact, { external_id: '7' }));
  await as('PATCH', `/orders/${order.body.id}`, { status: 'paid' });
  const flow = await flowCalls(api, account).createLive();
  const run = await as('POST', `/contacts/${contact}/flows`, { flow_id: flow.id });
  made = { message: message.id, order: order.body.id, run: run.body.id };
});

/** What entries tell, as words. */
const tell = ({ data }: Page): string[] =>
  data.map(({ type, ...entry }) => {
    const { id, name, event } = entry[type] ?? expect.fail(`${type} without its object`);
    return [type, type === 'event' ? event : (name ?? id)].join(' ');
  });

const whole = () => [
  `run ${made.run}`,
  'event order_status_changed',
  `order ${made.order}`,
  'event tag_applied',
  'tag vip',
  `message ${made.message}`,
  'event new_contact',
];

test('a timeline has what happened with a contact, newest first, each once: also a tag that is gone', async () => {
  const timeline = await read(contact);
  expect(tell(timeline)).toEqual(whole());
  expect(timeline.next_cursor).toBeNull();
  const times = timeline.data.map(({ at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  const [run, , order, gone] = timeline.data;
  const {
    workflow_url: _url,
    origin_run_id: _origin,
    loop_guard: _guard,
    moves: _moves,
    ...shown
  } = (await as('GET', `/runs/${made.run}`)).body as Record<string, unknown>;
  expect(run?.run).toEqual(shown);
  const {
    items: _items,
    status_history: _history,
    ...listed
  } = (await as<{ items: unknown; status_history: unknown }>('GET', `/orders/${made.order}`)).body;
  expect(order?.order).toEqual(listed);
  expect(gone?.event).toMatchObject({ data: { tag: { name: 'gone' } } });
  expect(tell(await read(other))).toEqual([expect.stringMatching(/^message /), 'event new_contact']);
});

test('it is read page after page over all kinds', async () => {
  for (const limit of [1, 3]) {
    const told: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await read(contact, `limit=${limit}${cursor && `&cursor=${cursor}`}`);
      told.push(...tell(page));
      cursor = page.next_cursor;
    }
    expect(told).toEqual(whole());
  }
});

test('agents get no data of its events', async () => {
  const agent = await api.createAccount();
  const { body } = await api.request<{ id: string }>('POST', '/v1/contacts', { key: agent.apiKey, body: {} });
  const path = `/dashboard/api/contacts/${body.id}/timeline`;
  const dataOf = async () => {
    const { data } = (await api.request<Page>('GET', path, { session: agent.session })).body;
    return data.map(({ event }) => event?.data);
  };
  expect(await dataOf()).toEqual([{}]);
  await setRole(api.db, agent.userId, 'agent');
  expect(await dataOf()).toEqual([null]);
});

test.for(['limit=51', 'limit=0', 'cursor=x', 'type=message'])('refuses ?%s with 422', async (query) => {
  expect((await as('GET', `/contacts/${contact}/timeline?${query}`)).status).toBe(422);
});

test('its events are read from an index of the contact, backwards', async () => {
  const of = { accountId: account.accountId, contactId: readId('contact', contact) };
  const plan = await api.db.begin(async (sql) => {
    await sql`set local enable_seqscan = off`;
    await sql`set local enable_bitmapscan = off`;
    return sql`explain ${listEventsOf(sql, of, { limit: 51, before: newUuid() })}`;
  });
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  expect(text).toMatch(/Index Scan Backward using events_\w*contact/);
  expect(text).not.toMatch(/Seq Scan|-> +Sort/);
});
