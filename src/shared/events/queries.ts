import type { Sql } from '../platform/db/connect.ts';
import { accountPageOf, madeWithin, pageOf, type Page, type Span } from '../platform/db/page.ts';
import type { EventName } from '../facts/names.ts';
import type { LoggedEventRow } from './schema.ts';

const columns = (sql: Sql) => sql`id, name as event, occurred_at as timestamp, contact_id, channel, data`;

/** A page of the account's events, newest first. */
export const listEvents = (
  sql: Sql,
  accountId: string,
  { filter: { event, ...span }, page }: { filter: Span & { event?: EventName | undefined }; page: Page },
) => sql<LoggedEventRow[]>`
  select ${columns(sql)} from events
  ${accountPageOf(sql, accountId, {
    conditions: sql`${event === undefined ? sql`` : named(sql, event)} ${madeWithin(sql, span)}`,
    page,
  })}`;

/** SQL: the condition on the name. Nearly all events are messages, and an index has the others: the statement says so for all values. */
const named = (sql: Sql, event: EventName) =>
  event === 'new_message' ? sql`and name = 'new_message'` : sql`and name = ${event} and name <> 'new_message'`;

/**
 * A page of what happened to a contact, newest first, for its timeline: without what its messages, orders and the tags that it still has tell by
 * themselves.
 */
export const listEventsOf = (
  sql: Sql,
  { accountId, contactId }: { accountId: string; contactId: string },
  page: Page,
) => sql<LoggedEventRow[]>`
  select ${columns(sql)} from events
  where account_id = ${accountId} and contact_id = ${contactId} and name not in ('new_message', 'order_placed')
    and (name <> 'tag_applied' or not exists (
      select from contact_tags g
      where g.contact_id = ${contactId} and date_trunc('milliseconds', g.applied_at) = date_trunc('milliseconds', events.occurred_at)))
    ${pageOf(sql, page)}`;

/** The account's event, or undefined; `id` is its UUID. */
export const findEvent = async (sql: Sql, accountId: string, id: string): Promise<LoggedEventRow | undefined> => {
  const [row] = await sql<LoggedEventRow[]>`
    select ${columns(sql)} from events where account_id = ${accountId} and id = ${id}`;
  return row;
};
