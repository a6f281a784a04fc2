import { usualHandoverHours } from '../accounts/handover-settings.ts';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { HandoverRow, Requester } from './schema.ts';

const columns = (sql: Sql) => sql`
  id, contact_id, conversation_id, status, reason, requested_by, run_id, assigned_to, outcome, created_at, expires_at, ended_at`;

/** The account's handover, or undefined; `id` is its UUID. */
export const findHandover = async (sql: Sql, accountId: string, id: string): Promise<HandoverRow | undefined> => {
  const [row] = await sql<HandoverRow[]>`
    select ${columns(sql)} from handovers where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The open handover of a contact, a UUID, or undefined. */
export const findOpenHandover = async (sql: Sql, contactId: string): Promise<HandoverRow | undefined> => {
  const [row] = await sql<HandoverRow[]>`
    select ${columns(sql)} from handovers where contact_id = ${contactId} and status = 'open'`;
  return row;
};

/** Which handovers; ids are UUIDs. `none`: those that nobody has taken. */
type HandoverFilter = {
  status?: HandoverRow['status'] | undefined;
  contact_id?: string | undefined;
  assigned_to?: string | undefined;
};

/** A page of the account's handovers, newest first. */
export const listHandovers = (
  sql: Sql,
  accountId: string,
  { filter: { status, contact_id: contactId, assigned_to: userId }, page }: { filter: HandoverFilter; page: Page },
) => sql<HandoverRow[]>`
  select ${columns(sql)} from handovers
  where account_id = ${accountId}
    ${status === undefined ? sql`` : sql`and status = ${status}`}
    ${contactId === undefined ? sql`` : sql`and contact_id = ${contactId}`}
    ${userId === undefined ? sql`` : userId === 'none' ? sql`and assigned_to is null` : sql`and assigned_to = ${userId}`}
    ${pageOf(sql, page)}`;

/** A handover to be; ids are UUIDs. */
export type HandoverToOpen = {
  accountId: string;
  contactId: string;
  /** What it is about: a conversation, or the open one on this channel, where there is one. */
  about: { conversationId: string } | { channelId: string | null };
  reason: string;
  requestedBy: Requester;
  runId?: string;
};

/** Opens a handover of a contact, unless it has an open one: then undefined. The caller has locked the contact. */
export const insertHandover = async (
  sql: Sql,
  { accountId, contactId, about, reason, requestedBy, runId }: HandoverToOpen,
): Promise<HandoverRow | undefined> => {
  const conversationId =
    'conversationId' in about
      ? sql`${about.conversationId}::uuid`
      : sql`(select id from conversations where contact_id = ${contactId} and channel_id = ${about.channelId} and status = 'open')`;
  const [opened] = await sql<HandoverRow[]>`
    with opened as (
      insert into handovers (account_id, contact_id, conversation_id, reason, requested_by, run_id, created_at, expires_at)
      select ${accountId}, ${contactId}, ${conversationId}, ${reason}, ${requestedBy}, ${runId ?? null}::uuid, moment,
        moment + make_interval(hours => coalesce(s.expire_after_hours, ${usualHandoverHours}))
      from clock_timestamp() as moment left join handover_settings s on s.account_id = ${accountId}
      on conflict (contact_id) where status = 'open' do nothing
      returning ${columns(sql)}
    ), marked as (
      update contacts set handover_id = opened.id from opened where contacts.id = opened.contact_id
    )
    select * from opened`;
  return opened;
};

/** How an open handover of a contact ends; ids are UUIDs. */
export type HandoverEnd = {
  contactId: string;
  status: 'resolved' | 'expired';
  outcome?: string | undefined;
  /** It ends only if it is this one, if it is of this conversation or of none, or if this run has requested it. */
  if: { id: string } | { conversationId: string | null } | { runId: string };
};

/** Ends the open handover of a contact. Undefined when none is open, or when the one that is open does not meet `if`. The caller has locked the contact. */
export const closeHandover = async (
  sql: Sql,
  { contactId, status, outcome, if: condition }: HandoverEnd,
): Promise<{ accountId: string; handoverId: string; conversationId: string | null } | undefined> => {
  const isMeant =
    'id' in condition
      ? sql`id = ${condition.id}`
      : 'runId' in condition
        ? sql`run_id = ${condition.runId}`
        : sql`(conversation_id is null or conversation_id = ${condition.conversationId}::uuid)`;
  const [ended] = await sql<{ accountId: string; handoverId: string; conversationId: string | null }[]>`
    with ended as (
      update handovers set status = ${status}, outcome = ${outcome ?? null}, ended_at = clock_timestamp()
      where contact_id = ${contactId} and status = 'open' and ${isMeant}
      returning id, account_id, contact_id, conversation_id
    ), marked as (
      update contacts set handover_id = null from ended where contacts.id = ended.contact_id
    )
    select account_id, id as handover_id, conversation_id from ended`;
  return ended;
};

/** Open handovers whose time is over, those first that have been so the longest. */
export const listLapsed = (sql: Sql, limit: number) => sql<{ id: string; accountId: string; contactId: string }[]>`
  select id, account_id, contact_id from handovers
  where status = 'open' and expires_at <= clock_timestamp() order by expires_at limit ${limit}`;
