import type { EventName, Variant } from '../events/names.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { currentTraceparent } from '../platform/telemetry/tracing.ts';
import { ownProcessId } from '../platform/processes/own-process.ts';
import { deliveryWork, outboxLeaseSeconds } from './work.ts';

/** The event to deliver; ids are UUIDs. A test event has no contact. */
type Told = {
  accountId: string;
  eventId: string;
  eventName: EventName;
  contactId: string | null;
  isTest: boolean;
};

/** A delivery to one webhook. Its id is by the database's clock, as all ids of the logs are. */
type NewDelivery = { id: string; webhookId: string; variant: Variant; status: 'pending' | 'parked'; body: Buffer };

/** Inserts the deliveries of an event, and has those that are not parked sent after the commit. */
export const insertDeliveries = async (
  { sql, start }: Pick<Transaction, 'sql' | 'start'>,
  told: Told,
  deliveries: readonly NewDelivery[],
): Promise<void> => {
  if (deliveries.length === 0) return;
  await insertOfDeliveries(sql, told, deliveries);
  startDeliveries({ start }, told, deliveries);
};

const insertOfDeliveries = (
  sql: Sql,
  { accountId, eventId, eventName, contactId, isTest }: Told,
  deliveries: readonly NewDelivery[],
): Fragment => sql`
  insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, is_test, status, sweep_at,
    parked_at, born_parked, traceparent, sender)
  select id, ${accountId}, webhook_id, ${eventId}, ${eventName}, variant, ${contactId}, decode(body, 'base64'), ${isTest}, status,
    case when status = 'pending' then now() + make_interval(secs => ${outboxLeaseSeconds}) end,
    case when status = 'parked' then clock_timestamp() end, status = 'parked', ${currentTraceparent() ?? null}, ${ownProcessId}
  from unnest(
    ${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ webhookId }) => webhookId)}::uuid[],
    ${deliveries.map(({ variant }) => variant)}::text[], ${deliveries.map(({ body }) => body.toString('base64'))}::text[],
    ${deliveries.map(({ status }) => status)}::text[]
  ) as delivery (id, webhook_id, variant, body, status)`;

/** The deliveries of an event; `traceparent` is of the span that makes them. */
export type Sent = { told: Told; deliveries: readonly NewDelivery[]; traceparent: string | undefined };

/** SQL: inserts deliveries of several events; a caller may append a condition on `delivery`. */
export const insertOfManyDeliveries = (sql: Sql, events: readonly Sent[]): Fragment => {
  const all = events.flatMap(({ deliveries, ...event }) => deliveries.map((delivery) => ({ ...event, ...delivery })));
  return sql`
  insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, status, sweep_at, traceparent, sender)
  select id, account_id, webhook_id, event_id, event_name, variant, contact_id, decode(body, 'base64'), 'pending',
    now() + make_interval(secs => ${outboxLeaseSeconds}), traceparent, ${ownProcessId}::uuid
  from unnest(
    ${all.map(({ id }) => id)}::uuid[], ${all.map(({ told }) => told.accountId)}::uuid[],
    ${all.map(({ webhookId }) => webhookId)}::uuid[], ${all.map(({ told }) => told.eventId)}::uuid[],
    ${all.map(({ told }) => told.eventName)}::text[], ${all.map(({ variant }) => variant)}::text[],
    ${all.map(({ told }) => told.contactId)}::uuid[], ${all.map(({ body }) => body.toString('base64'))}::text[],
    ${all.map(({ traceparent }) => traceparent ?? null)}::text[]
  ) as delivery (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, traceparent)`;
};

/** Has the deliveries that are not parked sent after the commit. */
export const startDeliveries = (
  { start }: Pick<Transaction, 'start'>,
  { accountId, eventName, contactId, isTest }: Told,
  deliveries: readonly NewDelivery[],
): void => {
  const firstRound = { round: 1, resumes: 0, attemptsMade: 0, ofOutbox: true };
  for (const { id, webhookId, variant, status } of deliveries) {
    if (status === 'parked') continue;
    start(deliveryWork, { id, accountId, webhookId, contactId, eventName, variant, isTest, ...firstRound });
  }
};
