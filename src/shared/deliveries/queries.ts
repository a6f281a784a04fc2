import type { Fragment, Sql } from '../platform/db/connect.ts';
import { accountPageOf, madeWithin, type Page, type Span } from '../platform/db/page.ts';
import { variants, type EventName } from '../facts/names.ts';
import { unmetPrecondition } from '../webhooks/preconditions.ts';
import { inScope, withDeleted, type WebhookScope } from '../webhooks/queries.ts';
import { webhooksPerAccount } from '../webhooks/schema.ts';
import type { DeliveryDetailRow, DeliveryRow } from './schema.ts';
import { deliveryStatuses, type DeliveryStatus } from './types.ts';

/** SQL: the columns of a `DeliveryRow`. */
export const deliveryColumns = (sql: Sql) => sql`
  ${parkedReason(sql)}, id, webhook_id, event_id, event_name, variant, contact_id, status, is_test, round, resumes, born_parked,
  without_workflow, attempts_made, next_attempt_at, created_at, finished_at, ${lastStatusCode(sql)}`;

/** The latest attempt, checks included, as the page of a delivery shows it last. */
const lastStatusCode = (sql: Sql) => sql`
  (select t.status_code from attempts t where t.delivery_id = id order by t.started_at desc limit 1) as last_status_code`;

/** Null for a deleted webhook, whose deliveries are about to be cancelled. */
const parkedReason = (sql: Sql) => sql`
  case when status = 'parked' then (
    select case when w.deleted_at is null then coalesce(${unmetPrecondition(sql)}, 'awaiting_replay') end
    from webhooks w join accounts a on a.id = w.account_id where w.id = webhook_id) end as parked_reason`;

/** A field that is null or not given excludes no delivery. */
export type DeliveryFilter = Span & {
  statuses?: readonly DeliveryStatus[] | null | undefined;
  webhookId?: string | null | undefined;
  eventName?: EventName | undefined;
  eventId?: string | undefined;
  contactId?: string | undefined;
  isTest?: boolean | undefined;
};

/** SQL: a condition on `deliveries`. */
export const deliveryConditions = (sql: Sql, scope: WebhookScope, filter: DeliveryFilter) =>
  sql`${inScope(sql, scope)} ${matching(sql, filter)}`;

const matching = (
  sql: Sql,
  { statuses, webhookId, eventName, eventId, contactId, isTest, ...span }: DeliveryFilter,
) => sql`
      ${webhookId ? sql`and webhook_id = ${webhookId}` : sql``}
      ${eventName ? sql`and event_name = ${eventName}` : sql``}
      ${eventId ? sql`and event_id = ${eventId} and ${madeWith(sql, eventId)}` : sql``}
      ${contactId ? sql`and contact_id = ${contactId}` : sql``}
      ${isTest === undefined ? sql`` : isTest ? sql`and is_test` : sql`and not is_test`}
      ${statuses ? sql`and status in (${literally(sql, statuses)})` : sql``}
      ${madeWithin(sql, span)}`;

/** Deliveries have the time of their event, within a minute for clocks that differ. */
const madeWith = (sql: Sql, eventId: string) => {
  const at = sql`uuid_extract_timestamp(${eventId}::uuid)`;
  return sql`id >= uuid_from_time(${at} - interval '1 minute') and id < uuid_from_time(${at} + interval '1 minute')`;
};

/** Literals let the planner use partial indexes; their order is fixed, because every text of a query is prepared and kept. */
const literally = (sql: Sql, statuses: readonly DeliveryStatus[]) => {
  const asked = deliveryStatuses.filter((status) => statuses.includes(status));
  const literals = asked.map(
    (status) =>
      ({
        pending: sql`'pending'`,
        retrying: sql`'retrying'`,
        delivered: sql`'delivered'`,
        failed: sql`'failed'`,
        dropped: sql`'dropped'`,
        parked: sql`'parked'`,
        cancelled: sql`'cancelled'`,
      })[status],
  );
  return literals.reduce((all, next) => sql`${all}, ${next}`);
};

/**
 * Lists deliveries, newest first. Without a narrow filter, a scope of one variant is read webhook by webhook, because no index skips a million
 * deliveries of the other variant. An account that has deleted very many webhooks gets deliveries of those deleted last.
 */
export const listDeliveries = (
  sql: Sql,
  scope: WebhookScope,
  { limit, before, ...filter }: DeliveryFilter & Page,
): Promise<DeliveryRow[]> => {
  const { accountId } = scope;
  const { webhookId, eventName, eventId, contactId, isTest, statuses } = filter;
  const isCancelled = statuses?.every((status) => status === 'cancelled') ?? false;
  const narrow = webhookId || eventName || eventId || contactId || isTest || isCancelled;
  // PostgreSQL would read the whole account for an event of which it has few. A list of events makes the order of their index one to ask for.
  if (eventName && !webhookId && !eventId && !contactId && !isTest && !statuses)
    return sql<DeliveryRow[]>`
      select ${deliveryColumns(sql)} from deliveries
      where account_id = ${accountId} and event_name = any(${[eventName]}::text[]) and variant = any(${[...scope.variants]})
        ${matching(sql, { ...filter, eventName: undefined })} ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by event_name desc, id desc limit ${limit}`;
  if (narrow || variants.every((variant) => scope.variants.includes(variant)))
    return sql<DeliveryRow[]>`
      select ${deliveryColumns(sql)} from deliveries
      ${accountPageOf(sql, accountId, {
        conditions: sql`and variant = any(${[...scope.variants]}) ${matching(sql, filter)}`,
        page: { limit, before },
      })}`;
  // PostgreSQL would read the whole account for a webhook that has few. A list of webhooks makes theirs an order to ask for: see `accountPageOf`.
  return sql<DeliveryRow[]>`
    select page.* from (${withDeleted(sql, accountId, webhooksPerAccount.withDeleted)}) as w cross join lateral (
      select ${deliveryColumns(sql)} from deliveries
      where account_id = ${accountId} and webhook_id = any(array[w.id]) ${matching(sql, filter)}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by webhook_id desc, id desc limit ${limit}) as page
    where w.variant = any(${[...scope.variants]})
    order by page.id desc limit ${limit}`;
};

/** The statement of a count of deliveries, which ends after `limit` of them: in no order, so that it reads no more of each webhook. */
export const selectDeliveries = (
  sql: Sql,
  scope: WebhookScope,
  { limit, ...filter }: DeliveryFilter & { limit: number },
): Fragment => {
  const { accountId } = scope;
  if (variants.every((variant) => scope.variants.includes(variant)))
    return sql`select from deliveries where account_id = ${accountId} ${matching(sql, filter)} limit ${limit}`;
  return sql`
    select from (${withDeleted(sql, accountId, webhooksPerAccount.withDeleted)}) as w cross join lateral (
      select from deliveries where account_id = ${accountId} and webhook_id = w.id ${matching(sql, filter)} limit ${limit}) as page
    where w.variant = any(${[...scope.variants]}) limit ${limit}`;
};

/** Finds a delivery of the scope, with its body. */
export const findDelivery = async (
  sql: Sql,
  scope: WebhookScope,
  id: string,
): Promise<DeliveryDetailRow | undefined> => {
  const [row] = await sql<DeliveryDetailRow[]>`
    select ${deliveryColumns(sql)}, body, round_origins from deliveries
    where ${inScope(sql, scope)} and id = ${id}`;
  return row;
};
