import type { Span } from '@opentelemetry/api';
import type { Plan } from '../accounts/plans.ts';
import { planAllowsWebhooks } from '../accounts/plans.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { deliveryWork, firstAttemptGraceSeconds } from '../deliveries/work.ts';
import { showId } from '../ids.ts';
import { currentTraceparent, inSpan } from '../platform/telemetry/tracing.ts';
import { shareWebhooks } from '../webhooks/locks.ts';
import { createEnvelope, payloadOf, type EventPayload } from './envelope.ts';
import { subscribes, type EventName, type Variant } from './names.ts';

/** Something that happened to a contact, as the writing code knows it: ids are UUIDs; `id` where it has made the event's. */
export type DomainEvent = Omit<EventPayload, 'contactId'> & { id?: string; accountId: string; contactId: string };

/** `deliveryId` is by the database's clock, as all ids of the logs are: their weeks and the times asked for go by it. */
type Subscriber = { id: string; deliveryId: string; variant: Variant; sendable: boolean };

/** How a delivery begins. */
const firstRound = { round: 1, resumes: 0, attemptsMade: 0, isTest: false };

/**
 * Records that something happened, and one delivery with its final bytes for each webhook that subscribes to it, inside
 * the transaction of the write that it reports: either all of it is there after a crash, or none. A webhook that may not
 * be sent to keeps its delivery as `parked`.
 */
export const emitEvent = (tx: Transaction, event: DomainEvent): Promise<void> =>
  inSpan('event.emit', { attributes: { 'parley.event': event.name } }, (span) => record(tx, event, span));

const record = async (tx: Transaction, event: DomainEvent, span: Span): Promise<void> => {
  const { id, accountId, contactId, name } = event;
  const payload = { ...event, contactId: showId('contact', contactId) };
  const subscribers = await listSubscribers(tx.sql, accountId, name);
  const deliveries = subscribers.map(({ id: webhookId, deliveryId: id, variant, sendable }) => {
    const status = sendable ? 'pending' : 'parked';
    return { id, webhookId, variant, status, body: createEnvelope(variant, payload, showId('delivery', id)) };
  });
  // One round trip, however many webhooks subscribe.
  const [recorded] = await tx.sql<{ id: string }[]>`
    with event as (
      insert into events (id, account_id, name, contact_id, channel, data, occurred_at)
      values (coalesce(${id ?? null}::uuid, uuidv7()), ${accountId}, ${name}, ${contactId}, ${event.channel},
        ${tx.sql.json(payloadOf(payload))}, ${event.occurredAt})
      returning id
    ), kept as (
      insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, contact_id, body, status, sweep_at,
        parked_at, born_parked, traceparent)
      select delivery.id, ${accountId}, webhook_id, event.id, ${name}, variant, ${contactId}, decode(body, 'base64'),
        status,
        case when status = 'pending' then clock_timestamp() + make_interval(secs => ${firstAttemptGraceSeconds}) end,
        case when status = 'parked' then clock_timestamp() end, status = 'parked',
        ${currentTraceparent() ?? null}
      from event, unnest(
        ${deliveries.map(({ id }) => id)}::uuid[], ${deliveries.map(({ webhookId }) => webhookId)}::uuid[],
        ${deliveries.map(({ variant }) => variant)}::text[], ${deliveries.map(({ body }) => body.toString('base64'))}::text[],
        ${deliveries.map(({ status }) => status)}::text[]
      ) as delivery (id, webhook_id, variant, body, status)
    )
    select id from event`;
  if (!recorded) throw new Error('the event was not inserted');
  span.setAttributes({ 'parley.event_id': showId('event', recorded.id), 'parley.deliveries': deliveries.length });
  for (const { id, webhookId, variant, status } of deliveries) {
    if (status === 'parked') continue;
    tx.start(deliveryWork, { id, accountId, webhookId, contactId, eventName: name, variant, ...firstRound });
  }
};

/**
 * The account's webhooks that this event goes to. An unverified one receives and keeps nothing. Where one may not be sent
 * to, the decision to park is made again while nobody can change that: a delivery is either parked before a re-enabling or a
 * plan change, and found by it, or sent after it.
 */
const listSubscribers = async (sql: Sql, accountId: string, name: EventName): Promise<Subscriber[]> => {
  const rows = await selectWebhooks(sql, accountId);
  const concerned = rows.filter((row) => subscribes(row.variant, row.events, name));
  const unsendable = concerned.filter((row) => !row.sendable).map(({ id }) => id);
  if (unsendable.length === 0) return concerned;
  await shareWebhooks(sql, unsendable);
  const locked = await selectWebhooks(sql, accountId);
  // One that was sendable a moment ago is not locked: it stays pending, and its attempt parks it under a lock of its own.
  return locked
    .filter((row) => subscribes(row.variant, row.events, name))
    .map((row) => ({ ...row, sendable: row.sendable || !unsendable.includes(row.id) }));
};

const selectWebhooks = async (sql: Sql, accountId: string) => {
  const rows = await sql<(Omit<Subscriber, 'sendable'> & { events: string[]; status: string; plan: Plan })[]>`
    select w.id, uuidv7() as delivery_id, w.variant, w.events, w.status, a.plan
    from webhooks w join accounts a on a.id = w.account_id
    where w.account_id = ${accountId} and w.deleted_at is null and w.disabled_reason is distinct from 'unverified'
    order by w.id`;
  return rows.map((row) => ({ ...row, sendable: row.status === 'active' && planAllowsWebhooks(row.plan) }));
};
