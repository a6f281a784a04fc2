import { byId } from '../../src/api/lists.ts';
import { connectDatabase, type DatabaseTarget } from '../../src/shared/platform/db/connect.ts';
import { showId } from '../../src/shared/ids.ts';
import { nowMs, quantiles, type Quantiles } from '../statistics.ts';
import type { Target } from '../target.ts';

/** What an account has, from which a page asks for one at random: UUIDs. */
export type Known = { contacts: readonly string[]; conversations: readonly string[]; busy: string; user: string };

/** Lists as people open them, and where they are the deepest. `some` picks at random. */
const pages: Readonly<Record<string, (known: Known, some: (ids: readonly string[]) => string) => string>> = {
  contacts: () => '/contacts',
  'contacts, deep': ({ contacts }, some) => `/contacts?cursor=${byId.showCursor({ id: some(contacts) })}`,
  'contacts of an e-mail address': () => '/contacts?email=contact77@example.com',
  'contacts with a common tag': () => '/contacts?tag=customer',
  'contacts with a rare tag': () => '/contacts?tag=beta',
  'contacts by a field': () => '/contacts?field=city:eq:City%207',
  'contacts by a comparison': () => '/contacts?field=age:gte:77',
  'contacts by a name': () => '/contacts?search=jon',
  'contacts by the beginning of a key': () => '/contacts?search=customer-77',
  'contacts changed since': () => `/contacts?updated_after=${new Date(Date.now() - 7 * 24 * 3_600_000).toISOString()}`,
  conversations: () => '/conversations',
  'conversations, deep': ({ conversations }, some) =>
    `/conversations?cursor=c${byId.showCursor({ id: some(conversations) })}`,
  'conversations, closed': () => '/conversations?status=closed',
  'conversations of a user': ({ user }) => `/conversations?assigned_to=${showId('user', user)}`,
  'conversations of nobody': () => '/conversations?assigned_to=none',
  'conversations of a contact': ({ contacts }, some) =>
    `/conversations?contact_id=${showId('contact', some(contacts))}`,
  'messages of a conversation': ({ conversations }, some) =>
    `/conversations/${showId('conversation', some(conversations))}/messages`,
  'messages of the busiest, deep': ({ busy, conversations }, some) =>
    `/conversations/${showId('conversation', busy)}/messages?cursor=${byId.showCursor({ id: some(conversations) })}`,
  'messages of a contact': ({ contacts }, some) => `/contacts/${showId('contact', some(contacts))}/messages`,
  orders: () => '/orders',
  'orders of a common status': () => '/orders?status=shipped',
  'orders of a rare status': () => '/orders?status=returned',
  'orders of a contact': ({ contacts }, some) => `/orders?contact_id=${showId('contact', some(contacts))}`,
  events: () => '/events',
  'events of a common name': () => '/events?event=new_message',
  'events of a rare name': () => '/events?event=handover_requested',
  'events, deep': ({ conversations }, some) => `/events?cursor=${byId.showCursor({ id: some(conversations) })}`,
};

/**
 * Opens one page after the other, each `times` times, or as often as `secondsEach` allows, and at least three times. Answers how long each took, in
 * ms.
 */
export const timePages = async (
  target: Target,
  { known, times, secondsEach }: { known: Known; times: number; secondsEach: number },
): Promise<Record<string, Quantiles>> => {
  const some = (ids: readonly string[]): string => ids[Math.floor(Math.random() * ids.length)] ?? '';
  const took: Record<string, Quantiles> = {};
  for (const [page, pathOf] of Object.entries(pages)) {
    const tookMs: number[] = [];
    const endMs = nowMs() + secondsEach * 1000;
    while (tookMs.length < times && (nowMs() < endMs || tookMs.length < 3)) {
      const startMs = nowMs();
      await target.call({ method: 'GET', path: `/v1${pathOf(known, some)}`, status: 200 });
      tookMs.push(nowMs() - startMs);
    }
    took[page] = quantiles(tookMs);
  }
  return took;
};

const sampleSize = 1_000;

/** Picks a sample of what the account has. It reads whole tables, so it must not run during a measurement. */
export const readKnown = async (database: DatabaseTarget, accountId: string): Promise<Known> => {
  const sql = connectDatabase(database, { max: 1, settings: { statement_timeout: 0 } });
  try {
    const sample = async (table: 'contacts' | 'conversations'): Promise<string[]> => {
      const rows = await sql<{ id: string }[]>`
        select id from ${sql(table)} where account_id = ${accountId} order by random() limit ${sampleSize}`;
      return rows.map(({ id }) => id);
    };
    const [user] = await sql<[{ id: string }]>`select id from users where account_id = ${accountId}`;
    const [busy] = await sql<[{ id: string }]>`
      select id from conversations where account_id = ${accountId} order by id offset 1 limit 1`;
    return {
      contacts: await sample('contacts'),
      conversations: await sample('conversations'),
      busy: busy.id,
      user: user.id,
    };
  } finally {
    await sql.end();
  }
};
