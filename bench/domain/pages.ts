import { byId } from '../../src/api/lists.ts';
import { connectDatabase, type DatabaseTarget } from '../../src/shared/platform/db/connect.ts';
import { showId } from '../../src/shared/ids.ts';
import { nowMs, quantiles, type Quantiles } from '../statistics.ts';
import type { Target } from '../target.ts';

/** What an account has, from which a page asks for one at random: UUIDs, and the TypeID of its channel. */
export type Known = Record<'contacts' | 'conversations' | 'messages', readonly string[]> &
  Record<'busy' | 'user' | 'channelId', string>;

/** What all views of the inbox ask for that show open conversations. */
const awake = '/conversations?status=open&snoozed=false&order=latest_message&limit=30';

const searched = '/conversations?order=latest_message&limit=30&search=';

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
  // The views of the inbox.
  'inbox: mine': ({ user }) => `${awake}&assigned_to=${showId('user', user)}`,
  'inbox: waiting': () => '/conversations?snoozed=false&order=waiting_longest&limit=30',
  'inbox: unassigned': () => `${awake}&assigned_to=none`,
  'inbox: open': () => awake,
  'inbox: open, deep': ({ messages }, some) => `${awake}&cursor=m${byId.showCursor({ id: some(messages) })}`,
  'inbox: snoozed': () => '/conversations?status=open&snoozed=true&order=latest_message&limit=30',
  'inbox: closed': () => '/conversations?status=closed&order=latest_message&limit=30',
  'inbox: open on a channel': ({ channelId }) => `${awake}&channel_id=${channelId}`,
  'inbox: open with a common tag': () => `${awake}&tag=customer`,
  'inbox: open with a tag of one in a hundred': () => `${awake}&tag=vip`,
  'inbox: open with a rare tag': () => `${awake}&tag=beta`,
  'inbox: search by a name': () => '/conversations?search=jon&order=latest_message&limit=30',
  'inbox: search by an e-mail address': () => '/conversations?search=contact77@&order=latest_message&limit=30',
  'inbox: search by a word of each message': () => `${searched}parcel`,
  'inbox: search by a word of a third of them': () => `${searched}word1`,
  'inbox: search by a word of one in 2,000': () => `${searched}word1000`,
  'inbox: search by a rare word': () => `${searched}word40000`,
  'inbox: search by two words': () => `${searched}word123%20word77`,
  'inbox: search by a beginning': () => `${searched}wor`,
  'inbox: search by a word of none': () => `${searched}nothing`,
  'inbox: counts': () => '/inbox/counts',
  'opening a conversation': ({ conversations }, some) =>
    `/conversations/${showId('conversation', some(conversations))}`,
  'its changes since': ({ conversations }, some) =>
    `/conversations/${showId('conversation', some(conversations))}/changes?after=1`,
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
export const readKnown = async (
  database: DatabaseTarget,
  { accountId, channelId }: { accountId: string; channelId: string },
): Promise<Known> => {
  const sql = connectDatabase(database, { max: 1, settings: { statement_timeout: 0 } });
  try {
    const sample = async (table: 'contacts' | 'conversations' | 'messages'): Promise<string[]> => {
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
      messages: await sample('messages'),
      channelId,
      busy: busy.id,
      user: user.id,
    };
  } finally {
    await sql.end();
  }
};
