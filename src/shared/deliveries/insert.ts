import type { EventName, Variant } from '../facts/names.ts';
import type { Fragment, Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { ownProcessId } from '../platform/processes/own-process.ts';
import { keepFirstRead, type ReadWithInsert } from './first-read.ts';
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

/** The deliveries of an event; `traceparent` is of the span that tells it. */
export type Sent = { told: Told; deliveries: readonly NewDelivery[]; traceparent: string | undefined };

/** Inserts the deliveries of events, and has those that are not parked sent after the commit. */
export const insertDeliveries = async (
  { sql, start }: Pick<Transaction, 'sql' | 'start'>,
  events: readonly Sent[],
): Promise<void> => {
  if (events.every(({ deliveries }) => deliveries.length === 0)) return;
  await insertOfDeliveries(sql, events);
  for (const event of events) startDeliveries({ start }, event);
};

/** SQL: inserts deliveries of several events; a caller may append a condition on `delivery`. */
export const insertOfDeliveries = (sql: Sql, events: readonly Sent[]): Fragment => {
  const all = events.flatMap(({ deliveries, ...event }) => deliveries.map((delivery) => ({ ...event, ...delivery })));
  return sql`
  insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, is_test, status, sweep_at,
    parked_at, born_parked, traceparent, sender)
  select id, account_id, webhook_id, event_id, event_name, variant, contact_id, decode(body, 'base64'), is_test::boolean, status,
    case when status = 'pending' then now() + make_interval(secs => ${outboxLeaseSeconds}) end,
    case when status = 'parked' then clock_timestamp() end, status = 'parked', traceparent, ${ownProcessId}::uuid
  from unnest(
    ${all.map(({ id }) => id)}::uuid[], ${all.map(({ told }) => told.accountId)}::uuid[],
    ${all.map(({ webhookId }) => webhookId)}::uuid[], ${all.map(({ told }) => told.eventId)}::uuid[],
    ${all.map(({ told }) => told.eventName)}::text[], ${all.map(({ variant }) => variant)}::text[],
    ${all.map(({ told }) => told.contactId)}::uuid[], ${all.map(({ body }) => body.toString('base64'))}::text[],
    ${all.map(({ told }) => String(told.isTest))}::text[], ${all.map(({ status }) => status)}::text[],
    ${all.map(({ traceparent }) => traceparent ?? null)}::text[]
  ) as delivery (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, is_test, status, traceparent)`;
};

/** What a statement has read for first attempts; `askedMs` is before it, by the monotonic clock. */
export type ReadsWithInsert = { byDelivery: ReadonlyMap<string, ReadWithInsert>; askedMs: number };

/** Has the deliveries that are not parked sent after the commit. */
export const startDeliveries = (
  { start }: Pick<Transaction, 'start'>,
  { told, deliveries, traceparent }: Sent,
  reads?: ReadsWithInsert,
): void => {
  const { accountId, eventName, contactId, isTest } = told;
  const firstRound = { round: 1, resumes: 0, attemptsMade: 0, ofOutbox: true };
  for (const { id, webhookId, variant, status, body } of deliveries) {
    if (status === 'parked') continue;
    const row = { id, accountId, webhookId, contactId, eventName, variant, isTest, ...firstRound };
    const read = reads?.byDelivery.get(id);
    if (!reads || !read) {
      start(deliveryWork, row);
      continue;
    }
    const due = { ...read, ...unsent, accountId, webhookId, variant, isTest, body, traceparent: traceparent ?? null };
    const firstRead = keepFirstRead({ due, askedMs: reads.askedMs, readMs: reads.askedMs });
    start(deliveryWork, { ...row, firstRead });
  }
};

/** How a delivery is inserted, apart from its webhook and event. */
const unsent = {
  status: 'pending',
  inProgress: true,
  round: 1,
  attemptsMade: 0,
  dueInMs: null,
  sender: ownProcessId,
  leaseMs: 1000 * outboxLeaseSeconds,
  recorded: null,
} as const;
