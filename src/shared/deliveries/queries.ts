import type { Sql } from '../db/connect.ts';
import type { EventName, Variant } from '../events/names.ts';
import type { WebhookScope } from '../webhooks/queries.ts';
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

/** What a `DeliveryRow` is read from. */
export const deliveryColumns = (sql: Sql) => sql`
  id, webhook_id, event_id, event_name, variant, contact_id, status, is_test, round, attempts_made, next_attempt_at, created_at, finished_at`;

type DeliveryFilter = {
  statuses?: readonly DeliveryStatus[] | undefined;
  webhookId?: string | undefined;
  /** Made at this time or later; by the ids, which are in the order of time, so that the indexes serve it. */
  since?: Date | undefined;
  /** Made before this time. */
  until?: Date | undefined;
};

/** The deliveries of a scope, newest first; `before` is the id to go on from. */
export const listDeliveries = (
  sql: Sql,
  { accountId, variants }: WebhookScope,
  { statuses, webhookId, since, until, limit, before }: DeliveryFilter & { limit: number; before?: string | undefined },
): Promise<DeliveryRow[]> => {
  // Said literally, it lets the planner use the small index of what was lost, or of what was not delivered.
  const isLost = (status: DeliveryStatus): boolean => status === 'failed' || status === 'dropped';
  const lost = statuses !== undefined && statuses.every(isLost);
  const undelivered = statuses !== undefined && !lost && !statuses.includes('delivered');
  return sql<DeliveryRow[]>`
    select ${deliveryColumns(sql)} from deliveries
    where account_id = ${accountId} and variant = any(${[...variants]})
      ${webhookId === undefined ? sql`` : sql`and webhook_id = ${webhookId}`}
      ${statuses === undefined ? sql`` : sql`and status = any(${[...statuses]})`}
      ${lost ? sql`and status in ('failed', 'dropped')` : sql``}
      ${undelivered ? sql`and status <> 'delivered'` : sql``}
      ${since === undefined ? sql`` : sql`and id >= uuid_from_time(greatest(${since}::timestamptz, 'epoch'))`}
      ${until === undefined ? sql`` : sql`and id < uuid_from_time(greatest(${until}::timestamptz, 'epoch'))`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
    order by id desc limit ${limit}`;
};

/** A delivery of the scope with its body, or undefined. */
export const findDelivery = async (
  sql: Sql,
  { accountId, variants }: WebhookScope,
  id: string,
): Promise<DeliveryDetailRow | undefined> => {
  const [row] = await sql<DeliveryDetailRow[]>`
    select ${deliveryColumns(sql)}, body from deliveries
    where account_id = ${accountId} and variant = any(${[...variants]}) and id = ${id}`;
  return row;
};

/** Every attempt of a delivery, in the order in which they were made. */
export const listAttempts = (sql: Sql, deliveryId: string): Promise<AttemptRow[]> => sql<AttemptRow[]>`
  select round, kind, number, outcome, reason, status_code, started_at, duration_ms, address, request_headers, response_headers,
    response_body, response_truncated
  from attempts where delivery_id = ${deliveryId} order by round, started_at, number`;
