import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { lateness } from '../conversations/latest.ts';
import { readVisitorChanges, type VisitorConversation } from '../live/read-visitor-changes.ts';
import { messageColumns } from '../queries.ts';
import type { MessageRow } from '../schema.ts';
import { threadLimit } from './schema.ts';

/** Whose thread it is, and on which channel; UUIDs. */
export type ThreadOf = { accountId: string; channelId: string; contactId: string };

/** A part of a visitor's thread, and the revision of its latest conversation to read on from. */
export type Thread = {
  conversation: Pick<VisitorConversation, 'id' | 'status' | 'assignedTo'>;
  messages: readonly MessageRow[];
  revision: number;
  /** Whether there are more changes, or, where messages before one or the latest ones were asked for, older messages. */
  hasMore: boolean;
};

/** What is asked for: changes of a conversation after a revision, or messages before one; the latest ones otherwise. Ids are UUIDs. */
export type AskedThread = { after: number; conversationId: string | undefined; before: string | undefined };

/**
 * Reads a thread: what has changed in its latest conversation after a revision of that. Whoever names another conversation, or a later revision,
 * gets the latest messages instead. Undefined while there is no conversation.
 */
export const readThread = async (sql: Sql, of: ThreadOf, asked: AskedThread): Promise<Thread | undefined> => {
  const latest = await findLatest(sql, of);
  if (!latest) return undefined;
  const { after, conversationId = latest.id, before } = asked;
  const isBehind = before === undefined && after > 0 && after <= latest.revision && conversationId === latest.id;
  if (!isBehind) return readPage(sql, of, { latest, before });
  const one = { accountId: of.accountId, conversationId, after, limit: threadLimit };
  const changes = (await readVisitorChanges(sql, [one]))(one);
  return changes && { ...changes, messages: changes.messages.filter(isForVisitor) };
};

/** Whether a message is one of a visitor's thread: what was not sent is not. */
export const isForVisitor = ({ direction, status }: Pick<MessageRow, 'direction' | 'status'>): boolean =>
  direction === 'inbound' || status === 'sent' || status === 'unknown';

type Latest = Thread['conversation'] & { revision: number };

/** The latest conversation of a thread: see `lateness`. */
export const findLatest = async (
  sql: Sql,
  { accountId, channelId, contactId }: ThreadOf,
): Promise<Latest | undefined> => {
  const [row] = await sql<Latest[]>`
    select id, status, assigned_to, revision::float8 as revision from conversations
    where contact_id = ${contactId} and channel_id = ${channelId} and account_id = ${accountId}
    order by ${lateness(sql, 'conversations')} desc limit 1`;
  return row;
};

/** The latest conversations of senders, UUIDs, by what channels call the senders. */
export const findLatestOfSenders = async (
  sql: Sql,
  senders: readonly { channelId: string; externalId: string }[],
): Promise<Map<string, string>> => {
  const rows = await sql<{ externalId: string; id: string }[]>`
    select asked.external_id, latest.id from unnest(
      ${senders.map(({ channelId }) => channelId)}::uuid[], ${senders.map(({ externalId }) => externalId)}::text[]
    ) as asked (channel_id, external_id) join contact_identities i using (channel_id, external_id) cross join lateral (
      select id from conversations where contact_id = i.contact_id and channel_id = i.channel_id
      order by ${lateness(sql, 'conversations')} desc limit 1
    ) as latest`;
  return new Map(rows.map(({ externalId, id }) => [externalId, id]));
};

/** Each message of the page is in one of the conversations whose last messages before it are the latest, so no others are read. */
const readPage = async (
  sql: Sql,
  { channelId, contactId }: ThreadOf,
  { latest, before }: { latest: Latest; before: string | undefined },
): Promise<Thread> => {
  const { revision, ...conversation } = latest;
  const atMost = threadLimit + 1;
  const shown = (columns: Fragment) => sql`
    select ${columns} from messages m left join outbound_messages o on o.message_id = m.id
    where m.conversation_id = v.id and (m.direction = 'inbound' or o.status in ('sent', 'unknown'))
      ${before === undefined ? sql`` : sql`and m.id < ${before}`}
    order by m.id desc`;
  const rows = await sql<MessageRow[]>`
    select ${messageColumns(sql)} from (
      select v.id from conversations v cross join lateral (${shown(sql`m.id`)} limit 1) as last
      where v.contact_id = ${contactId} and v.channel_id = ${channelId} order by last.id desc limit ${atMost}
    ) as v cross join lateral (${shown(sql`m.*`)} limit ${atMost}) as m left join outbound_messages o on o.message_id = m.id
    order by m.id desc limit ${atMost}`;
  const messages = rows.slice(0, threadLimit).toReversed();
  return { conversation, messages, revision, hasMore: rows.length > threadLimit };
};
