import { expect, test } from 'vitest';
import { newUuid } from '../../src/shared/ids.ts';
import type { Sql } from '../../src/shared/platform/db/connect.ts';
import { connectDatabase } from '../../src/shared/platform/db/connect.ts';
import { useApi, type Outgoing } from '../helpers/api.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { flowCalls } from '../helpers/flows.ts';
import { holdLock } from '../helpers/locks.ts';

const api = await useApi();
const account = await api.createAccount();
const { apiKey: key } = account;
const { createLive } = flowCalls(api, account);

type Made = { id: string };
const make = async (path: string, body: object): Promise<string> =>
  (await api.request<Made>('POST', `/v1${path}`, { key, body })).body.id;

const contactId = await make('/contacts', { external_id: 'ada', email: 'ada@example.com' });
const channelId = await make('/channels', { type: 'api', name: 'Shop' });
const flowId = (await createLive()).id;
const tagId = await make('/tags', { name: 'vip' });
const fieldId = await make('/custom-fields', { key: 'size', name: 'Size', type: 'text' });
const order = {
  external_id: '4711',
  contact_id: contactId,
  number: '1',
  status: 'placed',
  currency: 'EUR',
  total: 1,
  items: [],
};
const orderId = await make('/orders', order);
const inbound = () => ({ message_id: newUuid(), sender: { external_id: 'ada' }, text: 'hello' });
await api.request('POST', `/v1/channels/${channelId}/inbound`, { key, body: inbound() });
const handoverId = await make('/handovers', { contact_id: contactId, reason: 'Asks for it' });

const all = (table: string) => (sql: Sql) => sql`select from ${sql(table)} for no key update`;
const contact = all('contacts');
const turnOf = (things: string) => (sql: Sql) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`parley.${things}/${account.accountId}`}, 0))`;

/** What callers can have many requests wait for: the lock, and a request that waits for it. */
const kinds: [what: string, lock: (sql: Sql) => Promise<unknown>, method: string, path: string, sent?: Outgoing][] = [
  ['the fields of a contact', contact, 'PATCH', `/contacts/${contactId}`, { body: { first_name: 'Ada' } }],
  [
    'the fields of a contact that a path names otherwise',
    contact,
    'PATCH',
    '/contacts/email:ada@example.com',
    { body: {} },
  ],
  ['a contact by its external id', contact, 'PUT', '/contacts', { body: { external_id: 'ada', first_name: 'Ada' } }],
  ['a tag of a contact', contact, 'PUT', `/contacts/${contactId}/tags/new`],
  ['a message to a contact', contact, 'POST', `/contacts/${contactId}/messages`, { body: { text: 'Hello' } }],
  ['an enrollment', contact, 'POST', `/contacts/${contactId}/flows`, { body: { flow_id: flowId } }],
  ['an order', contact, 'POST', '/orders', { body: order }],
  ['the status of an order', contact, 'PATCH', `/orders/${orderId}`, { body: { status: 'shipped' } }],
  ['a handover', contact, 'POST', '/handovers', { body: { contact_id: contactId, reason: 'Asks' } }],
  ['the end of a handover', contact, 'POST', `/handovers/${handoverId}/resolve`, { body: {} }],
  ['the name of a flow', all('flows'), 'PATCH', `/flows/${flowId}`, { body: { name: 'Other' } }],
  ['the publishing of a flow', all('flows'), 'POST', `/flows/${flowId}/publish`],
  ['the name of a tag', all('tags'), 'PATCH', `/tags/${tagId}`, { body: { name: 'VIP' } }],
  ['a custom field', all('custom_fields'), 'PATCH', `/custom-fields/${fieldId}`, { body: { name: 'Its size' } }],
  ['a channel', all('channels'), 'PATCH', `/channels/${channelId}`, { body: { name: 'Chat' } }],
  ['the settings of an account', all('accounts'), 'PATCH', '/account', { body: { time_zone: 'Europe/Paris' } }],
  ['the account, to which flows are added in turn', turnOf('flows'), 'POST', '/flows', { body: { name: 'Fresh' } }],
];

test.for(kinds)(
  'of many requests that wait for the lock of %s, one holds a connection',
  async ([, take, method, path, sent]) => {
    // Connections of the test's own, so that it sees what waits.
    const aside = connectDatabase(api.target, { max: 2 });
    const lock = await holdLock(aside, take);
    const waiting = Array.from({ length: 6 }, () => api.request(method, `/v1${path}`, { key, ...sent }));
    await untilSomebodyWaits(aside);
    // One that waits for nothing is answered: by then the others have come as far as they come.
    await api.request('POST', '/v1/contacts', { key, body: {} });
    const held =
      await aside`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    expect(held.count).toBe(1);
    await lock.letThrough();
    const statuses = (await Promise.all(waiting)).map(({ status }) => status);
    expect(statuses.filter((status) => status >= 429)).toEqual([]);
    await aside.end();
  },
);
