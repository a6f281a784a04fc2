import { beforeEach, describe, expect, test } from 'vitest';
import { lockContact } from '../../src/shared/contacts/lock-contact.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { listOrders } from '../../src/shared/orders/queries.ts';
import { orderLimits } from '../../src/shared/orders/schema.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aContact, anOrder } from '../helpers/builders.ts';
import { holdLock } from '../helpers/locks.ts';
import { placeManyOrders } from '../helpers/states/orders.ts';

type ListedOrder = {
  id: string;
  external_id: string;
  contact_id: string;
  status: string;
  updated_at: string;
  created_at: string;
};
type Order = ListedOrder & {
  items: object[];
  status_history: { status: string; changed_at: string }[];
};
type Page = { data: ListedOrder[]; next_cursor: string | null };
type Refused = { error: { code: string; details?: { path: string; message: string }[] } };

const api = await useApi();
let account: TestAccount;
let contactId: string;
beforeEach(async () => {
  account = await api.createAccount();
  contactId = await aContactOf(account);
});

const as = <Body = Order>(method: string, path: string, body?: unknown, key = account.apiKey) =>
  api.request<Body & Refused>(method, path, { key, body });

const aContactOf = async ({ apiKey }: TestAccount): Promise<string> =>
  (await as<{ id: string }>('POST', '/v1/contacts', aContact(), apiKey)).body.id;

const put = (fields: object = {}) => as('POST', '/v1/orders', anOrder(contactId, fields));
const change = ({ id }: Order, status: string) => as('PATCH', `/v1/orders/${id}`, { status });
const list = async (query: string): Promise<Page> => (await as<Page>('GET', `/v1/orders?${query}`)).body;

type Told = { name: string; order: { status: string; from?: string; to?: string } };
const told = async (): Promise<Told[]> => {
  const rows = await api.db<{ name: string; data: { order: Told['order'] } }[]>`
    select name, data from events where account_id = ${account.accountId} and name like 'order%' order by id`;
  return rows.map(({ name, data }) => ({ name, order: data.order }));
};

describe('an order', () => {
  test('is placed once, and reads as it was sent', async () => {
    const sent = anOrder(contactId, { external_id: 'shop/1042' });
    const { status, body } = await as('POST', '/v1/orders', sent);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...sent,
      id: expect.stringMatching(/^ord_/),
      status_history: [{ status: 'placed', changed_at: body.created_at }],
      created_at: expect.stringMatching(/Z$/),
      updated_at: body.created_at,
    });
    expect((await as('GET', `/v1/orders/${body.id}`)).body).toEqual(body);
    const { number, currency, total, placed_at } = sent;
    const order = { id: body.id, external_id: 'shop/1042', number, status: 'placed', currency, total, placed_at };
    expect(await told()).toEqual([{ name: 'order_placed', order }]);
  });

  test('without placed_at and metadata is placed now, and has none; an item is one without a number or price', async () => {
    const { external_id, number, status, currency, total } = anOrder(contactId);
    const items = [{ name: 'Gift' }];
    const sent = { external_id, contact_id: contactId, number, status, currency, total, items };
    const { body } = await as('POST', '/v1/orders', sent);
    expect(body).toMatchObject({
      placed_at: body.created_at,
      metadata: {},
      items: [{ name: 'Gift', sku: null, quantity: 1, unit_price: null }],
    });
  });

  test('sent again changes what it says, keeps what it does not say, and is not placed again', async () => {
    const { body: before } = await put({ external_id: '7' });
    const { placed_at: _placed, metadata: _metadata, ...sent } = anOrder(contactId, { external_id: '7' });
    const again = await as('POST', '/v1/orders', { ...sent, total: 5_490, items: [] });
    expect(again.status).toBe(200);
    expect(again.body).toEqual({ ...before, total: 5_490, items: [], updated_at: expect.any(String) });
    expect(again.body.updated_at > before.updated_at).toBe(true);
    const given = { placed_at: '2026-11-01T08:00:00.000Z', metadata: { gift: true } };
    expect((await as('POST', '/v1/orders', { ...sent, ...given })).body).toMatchObject(given);
    expect((await told()).map(({ name }) => name)).toEqual(['order_placed']);
  });

  test('that changes its status by being sent again tells from and to, once', async () => {
    await put({ external_id: '7' });
    for (const status of ['paid', 'paid']) await put({ external_id: '7', status });
    const { body } = await put({ external_id: '7', status: 'shipped' });
    expect(body.status_history.map(({ status }) => status)).toEqual(['placed', 'paid', 'shipped']);
    expect(await told()).toMatchObject([
      { name: 'order_placed', order: { status: 'placed' } },
      { name: 'order_status_changed', order: { status: 'paid', from: 'placed', to: 'paid' } },
      { name: 'order_status_changed', order: { status: 'shipped', from: 'paid', to: 'shipped' } },
    ]);
  });

  test('gets another status by itself, and tells nothing of one that it has, in whatever letters', async () => {
    const { body: order } = await put();
    const shipped = await change(order, ' Shipped ');
    const changed_at = shipped.body.updated_at;
    const status_history = [...order.status_history, { status: 'shipped', changed_at }];
    expect(shipped).toMatchObject({
      status: 200,
      body: { ...order, status: 'shipped', status_history, updated_at: changed_at },
    });
    expect((await change(order, 'SHIPPED')).body).toEqual(shipped.body);
    const occurred = await api.db`
      select occurred_at from events where account_id = ${account.accountId} and name = 'order_status_changed'`;
    expect(occurred).toEqual([{ occurredAt: new Date(changed_at) }]);
    expect(await told()).toMatchObject([
      { name: 'order_placed' },
      { name: 'order_status_changed', order: { id: order.id, from: 'placed', to: 'shipped' } },
    ]);
  });

  test('sent many times at once is one order that is placed once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => put({ external_id: '7' })));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect((await told()).map(({ name }) => name)).toEqual(['order_placed']);
  });

  test('that two change at once tells both in their order, each from what the one before it left', async () => {
    const { body: order } = await put();
    await Promise.all([
      change(order, 'paid'),
      change(order, 'shipped'),
      put({ external_id: order.external_id, status: 'packed' }),
    ]);
    const changes = (await told()).slice(1);
    expect(changes.map(({ name }) => name)).toEqual(Array.from({ length: 3 }, () => 'order_status_changed'));
    for (const [index, { order: now }] of changes.entries())
      expect(now.from).toBe(index === 0 ? 'placed' : changes[index - 1]?.order.to);
    const { body } = await as('GET', `/v1/orders/${order.id}`);
    expect(body.status).toBe(changes.at(-1)?.order.to);
    expect(body.status_history.map(({ status }) => status)).toEqual([
      'placed',
      ...changes.map((each) => each.order.to),
    ]);
  });

  test('waits for who has its contact, as its runs do, before it is changed, also by being sent again', async () => {
    const { body: order } = await put();
    const { external_id } = order;
    for (const [status, write] of [
      ['paid', () => change(order, 'paid')],
      ['shipped', () => put({ external_id, status: 'shipped' })],
    ] as const) {
      const before = (await as('GET', `/v1/orders/${order.id}`)).body;
      const held = await holdLock(api.db, (sql) =>
        lockContact(sql, { accountId: account.accountId, contactId: readId('contact', contactId) }),
      );
      const writing = write();
      await held.hasStopped('from contacts');
      expect((await as('GET', `/v1/orders/${order.id}`)).body).toEqual(before);
      await held.letThrough();
      expect((await writing).body.status).toBe(status);
    }
  });

  test('stays with its contact: sent for another one it is 409, and nothing changes, also of two at once', async () => {
    const stranger = await api.createAccount();
    await as('POST', '/v1/orders', anOrder(await aContactOf(stranger), { external_id: '7' }), stranger.apiKey);
    const other = await aContactOf(account);
    const both = await Promise.all([contactId, other].map((id) => put({ external_id: '7', contact_id: id })));
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [order] = (await list('external_id=7')).data;
    const contact_id = order?.contact_id === contactId ? other : contactId;
    const refused = await put({ external_id: '7', contact_id, status: 'shipped' });
    const error = { code: 'conflict', conflict_with: { id: order?.id, key: 'external_id' } };
    expect(refused).toMatchObject({ status: 409, body: { error } });
    expect((await list('')).data).toEqual([order]);
    expect(await told()).toHaveLength(1);
  });

  test('keeps the latest hundred of its statuses', async () => {
    const { body: order } = await put();
    const { statuses } = orderLimits;
    for (let count = 1; count <= statuses; count += 1) await change(order, `s-${count}`);
    const { body } = await as('GET', `/v1/orders/${order.id}`);
    expect(body.status_history.map(({ status }) => status)).toEqual(
      Array.from({ length: statuses }, (_, index) => `s-${index + 1}`),
    );
  });

  test('holds the largest whole number that JSON has', async () => {
    const total = Number.MAX_SAFE_INTEGER;
    expect((await put({ total, items: [{ name: 'x', unit_price: total }] })).body).toMatchObject({
      total,
      items: [{ unit_price: total }],
    });
  });

  test("of another account's contact, or of none, is 404, and writes nothing", async () => {
    const theirs = await aContactOf(await api.createAccount());
    for (const contact_id of [theirs, showId('contact', newUuid())])
      expect((await put({ contact_id })).status).toBe(404);
    expect((await list('')).data).toEqual([]);
    expect(await told()).toEqual([]);
  });

  test("is nobody else's: another account reads, changes and lists none, and may have one of the same external id", async () => {
    const { body: order } = await put({ external_id: '7' });
    const { apiKey, ...stranger } = await api.createAccount();
    expect((await as('GET', `/v1/orders/${order.id}`, undefined, apiKey)).status).toBe(404);
    expect((await as('PATCH', `/v1/orders/${order.id}`, { status: 'x' }, apiKey)).status).toBe(404);
    for (const query of ['', `contact_id=${contactId}`, 'external_id=7', 'status=placed'])
      expect((await as<Page>('GET', `/v1/orders?${query}`, undefined, apiKey)).body.data).toEqual([]);
    const theirs = anOrder(await aContactOf({ apiKey, ...stranger }), { external_id: '7' });
    expect((await as('POST', '/v1/orders', theirs, apiKey)).status).toBe(200);
    expect((await as('GET', `/v1/orders/${order.id}`)).body).toEqual(order);
  });
});

describe('a change of status that says when it was', () => {
  const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;
  const changeAt = (order: Order, status: string, changed_at: string) =>
    as('PATCH', `/v1/orders/${order.id}`, { status, changed_at });
  const resend = (order: Order, status: string, changed_at: string) =>
    put({ external_id: order.external_id, status, changed_at });
  const anOldOrder = async () => (await put({ external_id: '7', changed_at: at(8) })).body;
  const historyOf = ({ status_history: had }: Order) => had.map(({ status, changed_at }) => [status, changed_at]);

  test.for([
    ['by itself', changeAt],
    ['with the order sent again', resend],
  ] as const)('%s is kept at its time, and wins only when it is the latest', async ([, write]) => {
    const order = await anOldOrder();
    await write(order, 'shipped', at(12));
    const late = await write(order, 'paid', at(10));
    expect(late).toMatchObject({ status: 200, body: { status: 'shipped' } });
    const history = [
      ['placed', at(8)],
      ['paid', at(10)],
      ['shipped', at(12)],
    ];
    expect(historyOf(late.body)).toEqual(history);
    // One that does not win tells nothing: an event says what the order has become.
    const changes = [{ name: 'order_placed' }, { order: { from: 'placed', to: 'shipped' } }];
    expect(await told()).toMatchObject(changes);
    expect(await told()).toHaveLength(2);
    // Sent again, each changes nothing.
    for (const { status, changed_at } of late.body.status_history) await write(order, status, changed_at);
    expect(historyOf((await as('GET', `/v1/orders/${order.id}`)).body)).toEqual(history);
    expect(await told()).toHaveLength(2);
  });

  test('that the order had by then corrects since when it has the status', async () => {
    const order = await anOldOrder();
    await changeAt(order, 'shipped', at(12));
    const { body } = await changeAt(order, 'shipped', at(11));
    expect(historyOf(body)).toEqual([
      ['placed', at(8)],
      ['shipped', at(11)],
    ]);
    expect(historyOf((await changeAt(order, 'shipped', at(13))).body)).toEqual(historyOf(body));
    expect(await told()).toHaveLength(2);
  });

  test('loses to nothing when it does not say it: a change without a time is the latest', async () => {
    const { body: order } = await put();
    const soon = new Date(Date.now() + 60_000).toISOString();
    await changeAt(order, 'shipped', soon);
    const { body } = await change(order, 'returned');
    expect(body.status).toBe('returned');
    expect(body.status_history.map(({ status }) => status)).toEqual(['placed', 'shipped', 'returned']);
  });

  test('is on the clock of the contact when it names no zone, as placed_at is', async () => {
    await as('PATCH', `/v1/contacts/${contactId}`, { time_zone: 'Europe/Berlin' });
    const { body } = await put({ placed_at: '2026-11-20T08:00', changed_at: '2026-11-20 09:00:00' });
    expect(body).toMatchObject({ placed_at: at(7), status_history: [{ changed_at: at(8) }] });
  });

  test.for([
    ['far ahead', '2126-01-01T00:00:00Z', 'must not be more than 5 minutes ahead'],
    ['a day alone', '2026-11-20', 'needs a date and a time, such as 2026-03-01T10:00'],
    ['of a day that is none', '2026-02-30T10:00Z', 'has a day that no calendar has: 2026-02-30'],
  ] as const)('%s is refused, and changes nothing', async ([, changed_at, message]) => {
    const order = await anOldOrder();
    for (const refused of [await changeAt(order, 'paid', changed_at), await resend(order, 'paid', changed_at)])
      expect(refused).toMatchObject({ status: 422, body: { error: { details: [{ path: 'changed_at', message }] } } });
    expect((await as('GET', `/v1/orders/${order.id}`)).body).toEqual(order);
  });
});

describe('orders are refused with 422, and nothing is written, for', () => {
  const long = 'x'.repeat(10_000);
  test.for([
    ['no external id', { external_id: undefined }],
    ['an empty external id', { external_id: '' }],
    ['an external id of 256 characters', { external_id: 'x'.repeat(256) }],
    ['a number as an external id', { external_id: 7 }],
    ['what is no id of a contact', { contact_id: 'con_x' }],
    ['the id of something else', { contact_id: showId('flow', newUuid()) }],
    ['no number', { number: undefined }],
    ['a number of 10 kB', { number: long }],
    ['a number of two lines', { number: '1\n2' }],
    ['an empty status', { status: ' ' }],
    ['a status of two words', { status: 'on its way' }],
    ['a status of 65 characters', { status: 'x'.repeat(65) }],
    ['a status of other letters', { status: 'verschickt-größe' }],
    ['a made-up currency', { currency: 'ZZZ' }],
    ['a currency in words', { currency: 'Euro' }],
    ['a currency in small letters', { currency: 'eur' }],
    ['no currency', { currency: null }],
    ['a fraction', { total: 49.9 }],
    ['a text as a total', { total: '4990' }],
    ['less than nothing', { total: -1 }],
    ['a total beyond 2^53 - 1', { total: 2 ** 53 }],
    ['no items', { items: undefined }],
    ['items that are no list', { items: { name: 'x' } }],
    ['101 items', { items: Array.from({ length: 101 }, () => ({ name: 'x' })) }],
    ['an item without a name', { items: [{ quantity: 1 }] }],
    ['an item with a name of 10 kB', { items: [{ name: long }] }],
    ['an item of which there is none', { items: [{ name: 'x', quantity: 0 }] }],
    ['half an item', { items: [{ name: 'x', quantity: 0.5 }] }],
    ['more items than a million', { items: [{ name: 'x', quantity: 1_000_001 }] }],
    ['a price beyond 2^53 - 1', { items: [{ name: 'x', unit_price: 2 ** 53 }] }],
    ['an unknown field of an item', { items: [{ name: 'x', colour: 'blue' }] }],
    ['a day without its time', { placed_at: '2026-11-20' }],
    ['the year 0', { placed_at: '0001-01-01T00:00:00+14:00' }],
    ['metadata that is a list', { metadata: [] }],
    ['metadata of 16 kB', { metadata: { a: 'x'.repeat(16_384) } }],
    ['51 values of metadata', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, key) => [`k${key}`, 1])) }],
    ['a field of ours', { status_history: [] }],
  ] as const)('%s', async ([, fields]) => {
    expect((await put(fields)).status).toBe(422);
    expect((await list('')).data).toEqual([]);
    expect(await told()).toEqual([]);
  });

  test.for([
    ['an infinite total', '"total":1e999', 422],
    ['a list', '[', 400],
    ['broken UTF-8', Buffer.from('{"number":"\xff"}', 'latin1'), 400],
    ['more than 256 KiB', { metadata: { a: 'x'.repeat(262_144) } }, 413],
    ['a list of orders', [], 422],
  ] as const)('%s, or with what else is meant for such a body', async ([, body, status]) => {
    const text = body === '"total":1e999' ? JSON.stringify(anOrder(contactId)).replace('"total":4990', body) : body;
    expect((await as('POST', '/v1/orders', text)).status).toBe(status);
    expect((await list('')).data).toEqual([]);
  });

  test.for([[{}], [{ status: '' }], [{ status: null }], [{ status: 7 }], [{ status: 'x', total: 1 }], [{ total: 1 }]])(
    'a change of %j',
    async ([changes]) => {
      const { body: order } = await put();
      expect((await as('PATCH', `/v1/orders/${order.id}`, changes)).status).toBe(422);
      expect((await as('GET', `/v1/orders/${order.id}`)).body).toEqual(order);
    },
  );
});

describe('the list of orders', () => {
  test('is newest first, by contact, status and external id, page after page, without items and history', async () => {
    const other = await aContactOf(account);
    const orders: ListedOrder[] = [];
    for (const [index, of] of [contactId, other, contactId, contactId].entries()) {
      const fields = { contact_id: of, external_id: `x-${index}`, status: index < 3 ? 'placed' : 'paid' };
      const { items: _items, status_history: _history, ...row } = (await put(fields)).body;
      orders.unshift(row);
    }
    expect((await list('')).data).toEqual(orders);
    const [paid, third, ofOther, first] = orders;
    expect((await list(`contact_id=${contactId}`)).data).toEqual([paid, third, first]);
    expect((await list('status=Placed')).data).toEqual([third, ofOther, first]);
    expect((await list(`contact_id=${contactId}&status=placed`)).data).toEqual([third, first]);
    expect((await list('external_id=x-1')).data).toEqual([ofOther]);
    const one = await list('limit=3');
    expect(one.data).toEqual([paid, third, ofOther]);
    expect(await list(`limit=3&cursor=${one.next_cursor}`)).toEqual({ data: [first], next_cursor: null });
  });

  test.for(['contact_id=x', 'status=on%20its%20way', 'external_id=', 'limit=201', 'cursor=x', 'number=7'])(
    'refuses ?%s with 422',
    async (query) => {
      expect((await as('GET', `/v1/orders?${query}`)).status).toBe(422);
    },
  );

  test('is read from an index in its order, whatever it is asked for: nothing of many is sorted or read through', async () => {
    const ofMany = await placeManyOrders(api.db, account.accountId);
    const small = await api.createAccount();
    const indexOf = async (filter: object, accountId = account.accountId): Promise<string> => {
      const page = { limit: 51, before: newUuid() };
      const plan = await api.db`explain ${listOrders(api.db, accountId, { filter, page })}`;
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(text).not.toContain('Seq Scan');
      return /using (\w+)/.exec(text)?.[1] ?? text;
    };
    expect(await indexOf({}, small.accountId)).toBe('orders_account');
    expect(await indexOf({ contact_id: ofMany })).toBe('orders_contact');
    expect(await indexOf({ status: 'rare' })).toBe('orders_status');
    expect(await indexOf({ contact_id: ofMany, status: 'placed' })).toBe('orders_contact');
    expect(await indexOf({ external_id: '7' })).toBe('orders_external_id');
  });
});

test('an Idempotency-Key gives the first answer again, and tells nothing twice', async () => {
  const sent = { key: account.apiKey, body: anOrder(contactId), headers: { 'idempotency-key': 'once' } };
  const first = await api.request<Order>('POST', '/v1/orders', sent);
  await change(first.body, 'shipped');
  const again = await api.request<Order>('POST', '/v1/orders', sent);
  expect(again.body).toEqual(first.body);
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect((await told()).map(({ name }) => name)).toEqual(['order_placed', 'order_status_changed']);
});

test('the dashboard has the same orders', async () => {
  const { body: order } = await put();
  const dashboard = <Body = Order>(method: string, path: string, body?: unknown) =>
    api.request<Body>(method, `/dashboard/api${path}`, { session: account.session, body });
  expect((await dashboard('GET', `/orders/${order.id}`)).body).toEqual(order);
  expect((await dashboard('PATCH', `/orders/${order.id}`, { status: 'paid' })).body.status).toBe('paid');
  expect((await dashboard<Page>('GET', '/orders')).body.data).toHaveLength(1);
});
