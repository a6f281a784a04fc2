import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { sendingChannel } from '../../contacts/sending-channel.ts';
import { selectSentBy } from '../sent-by.ts';
import { excerptLength, unreadAtMost, type ConversationRow } from './schema.ts';

/** Where a page begins: behind this conversation, whose status was this one when it was read. */
type Place = Pick<ConversationRow, 'status' | 'id'>;

/** Which conversations; ids are UUIDs. `none`: those that nobody looks after. */
export type ConversationFilter = {
  status?: ConversationRow['status'] | undefined;
  contact_id?: string | undefined;
  channel_id?: string | undefined;
  assigned_to?: string | undefined;
  state?: 'handover' | undefined;
  owner?: ConversationRow['owner'] | undefined;
  snoozed?: 'true' | 'false' | undefined;
  /** Those of these contacts, and these themselves: what a search has found. */
  found?: { contact_ids: readonly string[]; ids: readonly string[] } | undefined;
  /** Those whose contacts have this tag; `isFew`: their conversations are looked up. */
  tag?: { id: string; isFew: boolean } | undefined;
  /** The user who has a draft there. */
  drafted_by?: string | undefined;
};

/** The account's conversation, or undefined; `id` is its UUID. */
export const findConversation = async (
  sql: Sql,
  accountId: string,
  id: string,
): Promise<ConversationRow | undefined> => {
  const found = sql`select ${columns(sql)} from conversations where account_id = ${accountId} and id = ${id}`;
  const [row] = await sql<Stored[]>`${shown(sql, found)}`;
  return row && rowOf(row);
};

type Page = { filter: ConversationFilter; limit: number; before: Place | undefined };

/** A page of the account's conversations: open ones first, the newest of each status first. */
export const listConversations = async (sql: Sql, accountId: string, page: Page): Promise<ConversationRow[]> => {
  const rows = await readTagged(page, {
    read: (asked) => selectPage(sql, accountId, asked),
    readFirst: (asked, atMost) => selectPage(sql, accountId, asked, atMost),
  });
  return rows.map(rowOf);
};

/** So many are read in the order of a list for conversations that may be rare there, as those with a tag that many contacts have. */
export const firstAtMost = 10_000;

/**
 * A page that may be of a tag that many contacts have: mostly it is found among the first rows in the order of the list. Otherwise the conversations of
 * all these contacts are looked up.
 */
export const readTagged = async <Asked extends { filter: ConversationFilter; limit: number }>(
  page: Asked,
  {
    read,
    readFirst,
  }: {
    read: (page: Asked) => PromiseLike<Stored[]>;
    readFirst: (page: Asked, atMost: number) => PromiseLike<Stored[]>;
  },
): Promise<Stored[]> => {
  const { filter, limit } = page;
  const { tag, found } = filter;
  if (!tag || tag.isFew || found) return read(page);
  const first = await readFirst(page, firstAtMost);
  return first.length === limit ? first : read({ ...page, filter: { ...filter, tag: { ...tag, isFew: true } } });
};

/** The statement of a page; `atMost`: of so many conversations in its order, whose tag is looked for. */
export const selectPage = (sql: Sql, accountId: string, { filter, limit, before }: Page, atMost?: number) => {
  const { tag: _, ...others } = filter;
  const page = sql`
    select ${columns(sql)} from ${
      atMost === undefined
        ? sql`conversations`
        : sql`(
            select * from conversations where ${areAmong(sql, accountId, others)} ${isAfter(sql, before)}
            order by status desc, id desc limit ${atMost}) as conversations`
    }
    where ${areAmong(sql, accountId, filter)} ${isAfter(sql, before)}
    order by status desc, id desc limit ${limit}`;
  return sql<Stored[]>`${shown(sql, page)} order by v.status desc, v.id desc`;
};

const isAfter = (sql: Sql, before: Place | undefined) =>
  before === undefined ? sql`` : sql`and (status, id) < (${before.status}, ${before.id})`;

/** SQL: the condition that conversations are the account's, and pass the filter. */
export const areAmong = (sql: Sql, accountId: string, filter: ConversationFilter): Fragment => sql`
  account_id = ${accountId}
    ${filter.status === undefined ? sql`` : sql`and status = ${filter.status}`}
    ${filter.contact_id === undefined ? sql`` : sql`and contact_id = ${filter.contact_id}`}
    ${filter.found === undefined ? sql`` : foundBy(sql, accountId, filter.found)}
    ${filter.tag === undefined ? sql`` : taggedWith(sql, accountId, filter.tag)}
    ${filter.channel_id === undefined ? sql`` : sql`and channel_id = ${filter.channel_id}`}
    ${filter.assigned_to === undefined ? sql`` : assignedTo(sql, filter.assigned_to)}
    ${filter.state === undefined ? sql`` : handedOver(sql, accountId)}
    ${filter.owner === undefined ? sql`` : sql`and ${isOf[filter.owner](sql)}`}
    ${filter.snoozed === undefined ? sql`` : sql`and snoozed_until is ${filter.snoozed === 'true' ? sql`not null` : sql`null`}`}
    ${filter.drafted_by === undefined ? sql`` : draftedBy(sql, filter.drafted_by)}`;

/** SQL: the conditions that a conversation has this owner. */
const isOf = {
  agent: (sql: Sql) => sql`assigned_to is not null`,
  waiting: (sql: Sql) => sql`waiting_since is not null`,
  bot: (sql: Sql) => sql`(assigned_to is null and waiting_since is null)`,
} as const;

const assignedTo = (sql: Sql, userId: string) =>
  userId === 'none' ? sql`and assigned_to is null` : sql`and assigned_to = ${userId}`;

/** SQL: those that a search has found. */
const foundBy = (sql: Sql, accountId: string, found: NonNullable<ConversationFilter['found']>) => sql`
  and id = any(array(
    select id from conversations where account_id = ${accountId} and contact_id = any(${[...found.contact_ids]}::uuid[])
    union all select unnest(${[...found.ids]}::uuid[])))`;

/** SQL: those of a few contacts. As a list they are looked up, however many conversations there are. */
const ofContacts = (sql: Sql, accountId: string, contactIds: Fragment) => sql`
  and id = any(array(select id from conversations where account_id = ${accountId} and contact_id = any(${contactIds})))`;

/**
 * SQL: those of the contacts with a tag. Of few they are looked up. PostgreSQL cannot join a scalar subquery, so that otherwise the tag of each
 * conversation is looked up, and not all contacts of the tag.
 */
const taggedWith = (sql: Sql, accountId: string, { id, isFew }: NonNullable<ConversationFilter['tag']>) =>
  isFew
    ? ofContacts(sql, accountId, sql`array(select contact_id from contact_tags where tag_id = ${id})`)
    : sql`and (select true from contact_tags where contact_id = conversations.contact_id and tag_id = ${id})`;

/** SQL: those open ones whose contact people have taken over. */
const handedOver = (sql: Sql, accountId: string) => sql`
  and status = 'open' and contact_id in (select contact_id from handovers where account_id = ${accountId} and status = 'open')`;

/** SQL: a user has few drafts. As a list they are looked up, however many conversations there are. */
const draftedBy = (sql: Sql, userId: string) => sql`
  and id = any(array(select conversation_id from conversation_drafts where user_id = ${userId}))`;

/** SQL: what `shown` needs of a row. */
export const columns = (sql: Sql) =>
  sql`id, contact_id, channel_id, status, assigned_to, assigned_by_other_at, waiting_since, snoozed_until, read_to, created_at, closed_at, revision::float8 as revision`;

/** A row as `shown` reads it. */
export type Stored = Omit<ConversationRow, 'lastMessage' | 'foundMessage'> & {
  lastMessage: (Omit<NonNullable<ConversationRow['lastMessage']>, 'createdAt'> & { createdAt: string }) | null;
};

/** SQL: these rows of conversations with what is derived of them, each from an index. */
export const shown = (sql: Sql, conversations: Fragment) => sql`
  select v.*, ${stateOf(sql)} as state,
    case when v.assigned_to is not null then 'agent' when v.waiting_since is not null then 'waiting' else 'bot' end as owner,
    case when c.status = 'blocked' then 0 else (
    select count(*)::int from (
      select direction from messages
      where conversation_id = v.id and id > coalesce(v.read_to, '00000000-0000-0000-0000-000000000000')
      order by id desc limit ${unreadAtMost}) as latest
    where direction = 'inbound') end as unread, (
    select json_build_object('id', m.id, 'direction', m.direction, 'text', left(m.text, ${excerptLength}), 'createdAt', m.sent_at,
      'sentBy', ${selectSentBy(sql)})
    from (select id, direction, text, sent_at from messages where conversation_id = v.id order by id desc limit 1) m
    left join outbound_messages o on o.message_id = m.id and m.direction = 'outbound') as last_message
  from (${conversations}) v join contacts c on c.id = v.contact_id left join runs r on r.id = c.foreground_run_id`;

/**
 * SQL: who talks in conversation `v` of contact `c`: people while there is a handover, or else the run `r` that has the contact's foreground, on
 * its channel.
 */
const stateOf = (sql: Sql) => sql`
  case when v.status = 'open' and c.handover_id is not null then 'handover'
    when v.status = 'open' and r.id is not null and v.channel_id = coalesce(r.channel_id, ${sendingChannel(sql)}) then 'bot'
    else 'idle' end`;

/** The row of what `shown` has read: times in JSON are texts. */
export const rowOf = ({ lastMessage, ...row }: Stored): ConversationRow => ({
  ...row,
  lastMessage: lastMessage && { ...lastMessage, createdAt: new Date(lastMessage.createdAt) },
  foundMessage: null,
});
