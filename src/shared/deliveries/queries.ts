import type { Sql } from '../db/connect.ts';
import type { EventName, Variant } from '../events/names.ts';
import type { AttemptKey, AttemptOutcome, DeliveryStatus, FailureReason } from './types.ts';

/** A delivery without its body; ids are UUIDs. */
export type DeliveryRow = {
  id: string;
  webhookId: string;
  eventId: string;
  eventName: EventName;
  variant: Variant;
  contactId: string | null;
  status: DeliveryStatus;
  isTest: boolean;
  round: number;
  attemptsMade: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
};

export type DeliveryDetailRow = DeliveryRow & { body: Buffer };

export type AttemptRow = Pick<AttemptKey, 'round' | 'kind' | 'number'> &
  Pick<AttemptOutcome, 'outcome' | 'durationMs'> & {
    reason: FailureReason | null;
    statusCode: number | null;
    startedAt: Date;
    address: string | null;
    requestHeaders: Record<string, string> | null;
    responseHeaders: Record<string, string | string[]> | null;
    responseBody: Buffer | null;
    responseTruncated: boolean;
  };

const columns = (sql: Sql) => sql`
  id, webhook_id, event_id, event_name, variant, contact_id, status, is_test, round, attempts_made, next_attempt_at, created_at, finished_at`;

type DeliveryFilter = { statuses?: readonly DeliveryStatus[] | undefined; webhookId?: string | undefined };

/** The account's deliveries, newest first; `before` is the id to go on from. */
export const listDeliveries = (
  sql: Sql,
  accountId: string,
  { statuses, webhookId, limit, before }: DeliveryFilter & { limit: number; before?: string | undefined },
): Promise<DeliveryRow[]> => {
  // Said literally, it lets the planner use the small index of what was lost, or of what was not delivered.
  const isLost = (status: DeliveryStatus): boolean => status === 'failed' || status === 'dropped';
  const lost = statuses !== undefined && statuses.every(isLost);
  const undelivered = statuses !== undefined && !lost && !statuses.includes('delivered');
  return sql<DeliveryRow[]>`
    select ${columns(sql)} from deliveries
    where account_id = ${accountId}
      ${webhookId === undefined ? sql`` : sql`and webhook_id = ${webhookId}`}
      ${statuses === undefined ? sql`` : sql`and status = any(${[...statuses]})`}
      ${lost ? sql`and status in ('failed', 'dropped')` : sql``}
      ${undelivered ? sql`and status <> 'delivered'` : sql``}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`;
};

/** A delivery of the account with its body, or undefined. */
export const findDelivery = async (sql: Sql, accountId: string, id: string): Promise<DeliveryDetailRow | undefined> => {
  const [row] = await sql<DeliveryDetailRow[]>`
    select ${columns(sql)}, body from deliveries where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** Every attempt of a delivery, in the order in which they were made. */
export const listAttempts = (sql: Sql, deliveryId: string): Promise<AttemptRow[]> => sql<AttemptRow[]>`
  select round, kind, number, outcome, reason, status_code, started_at, duration_ms, address, request_headers, response_headers,
    response_body, response_truncated
  from attempts where delivery_id = ${deliveryId} order by round, started_at, number`;
