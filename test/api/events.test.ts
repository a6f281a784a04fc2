import { beforeEach, describe, expect, test } from 'vitest';
import { listEvents } from '../../src/shared/events/queries.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact, anOrder } from '../helpers/builders.ts';
import { setRole } from '../helpers/states/accounts.ts';

type Event = { id: string; event: string; timestamp: string; data: unknown };
type EventDetail = Event & { deliveries: { id: string; event_id: string; variant: string }[] };
type Page = { data: Event[]; next_cursor: string | null };

const api = await useApi();
let account: TestAccount;
let contactId: string;
beforeEach(async () => {
  account = await api.createAccount();
  contactId = (await as<{ id: string }>('POST', '/contacts', aContact())).body.id;
});

const as = <Body>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body>(method, `/v1${path}`, { key, body });
const list = async (query = '') => (await as<Page>('GET', `/events?${query}`)).body;
const place = async (fields: object = {}) =>
  (await as<{ id: string }>('POST', '/orders', anOrder(contactId, fields))).body;

describe('the event log', () => {
  test('has every event, newest first, as variant A tells it', async () => {
    const order = await place();
    const { data, next_cursor } = await list();
    expect(next_cursor).toBeNull();
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        event: 'order_placed',
        timestamp: expect.stringMatching(/Z$/),
        contact_id: contactId,
        channel: 'api',
        data: { order: expect.objectContaining({ id: order.id, status: 'placed' }) },
      },
      expect.objectContaining({ event: 'new_contact', data: {} }),
    ]);
  });

  test('is asked for by name and time, page after page', async () => {
    for (const status of ['placed', 'paid', 'shipped']) await place({ external_id: '7', status });
    const { data: all } = await list();
    const changes = all.filter(({ event }) => event === 'order_status_changed');
    expect(changes).toHaveLength(2);
    expect((await list('event=order_status_changed')).data).toEqual(changes);
    const { data: first, next_cursor: cursor } = await list('event=order_status_changed&limit=1');
    expect(first).toEqual(changes.slice(0, 1));
    expect(await list(`event=order_status_changed&limit=1&cursor=${cursor}`)).toEqual({
      data: changes.slice(1),
      next_cursor: null,
    });
    expect((await list('since=2020-01-01&until=9999-01-01T00:00:00Z')).data).toEqual(all);
    expect((await list('until=2020-01-01')).data).toEqual([]);
    expect((await list('since=9999-01-01')).data).toEqual([]);
  });

  test.for(['event=sunrise', 'event=', 'since=now', 'until=2026-13-01', 'limit=0', 'cursor=x', 'name=new_contact'])(
    'refuses ?%s with 422',
    async (query) => {
      expect((await as('GET', `/events?${query}`)).status).toBe(422);
    },
  );

  test('is read from the index of its account, backwards: no week of others is read through', async () => {
    const filter = { event: 'order_placed', since: new Date(0) } as const;
    const plan = await api.db.begin(async (sql) => {
      await sql`set local enable_seqscan = off`;
      await sql`set local enable_bitmapscan = off`;
      return sql`explain ${listEvents(sql, account.accountId, { filter, page: { limit: 51, before: newUuid() } })}`;
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index Scan Backward using events_\w*account/);
    expect(text).not.toMatch(/Seq Scan|-> +Sort/);
  });
});

describe('an event', () => {
  test('is read with its deliveries, those that the door reaches', async () => {
    const url = 'https://receiver.example/';
    for (const variant of ['api', 'dashboard'] as const) await insertWebhook(api.deps, { ...account, url, variant });
    await place();
    const [event] = (await list('event=order_placed')).data;
    const { body } = await as<EventDetail>('GET', `/events/${event?.id}`);
    expect(body).toEqual({ ...event, deliveries: [expect.objectContaining({ event_id: event?.id, variant: 'api' })] });
    const logged = await as<{ data: unknown[] }>('GET', `/deliveries?event_id=${event?.id}`);
    expect(body.deliveries).toEqual(logged.body.data);
    const path = `/dashboard/api/events/${event?.id}`;
    const dashboard = await api.request<EventDetail>('GET', path, { session: account.session });
    expect(dashboard.body.deliveries.map(({ variant }) => variant).toSorted()).toEqual(['api', 'dashboard']);
  });

  test('shows an agent no data, as a delivery no body', async () => {
    const { session, userId } = account;
    await setRole(api.db, userId, 'agent');
    const { body } = await api.request<Page>('GET', '/dashboard/api/events', { session });
    expect(body.data).toMatchObject([{ event: 'new_contact', data: null }]);
    const one = await api.request<EventDetail>('GET', `/dashboard/api/events/${body.data[0]?.id}`, { session });
    expect(one.body).toMatchObject({ event: 'new_contact', data: null, deliveries: [] });
  });

  test("of another account, or of none, is 404, and stands in nobody else's log", async () => {
    const [event] = (await list()).data;
    const { apiKey } = await api.createAccount();
    for (const id of [event?.id, showId('event', newUuid()), 'evt_x', contactId])
      expect((await as('GET', `/events/${id}`, undefined, apiKey)).status).toBe(404);
    expect((await as<Page>('GET', '/events', undefined, apiKey)).body.data).toEqual([]);
  });
});
