import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction } from '../facts/tell.ts';
import { currentTraceparent } from '../platform/telemetry/tracing.ts';
import { insertDeliveries } from './insert.ts';
import { findDelivery } from './queries.ts';
import type { DeliveryRow } from './schema.ts';
import { RequestError, invalid } from '../errors.ts';
import { createEnvelope } from '../events/envelope.ts';
import { eventsOfVariant, type EventName } from '../facts/names.ts';
import { createSampleEvent } from '../events/samples.ts';
import { showId } from '../ids.ts';
import { checkPreconditions, requirePreconditions } from '../webhooks/preconditions.ts';
import type { WebhookRow } from '../webhooks/schema.ts';

/**
 * Makes a delivery with sample data that gets one attempt, the way of every other delivery, and counts for nothing. `event` is the webhook's first
 * subscribed one by default. Throws `plan_required`, `conflict` for a webhook that may not be sent to, and `invalid_request`.
 */
export const createTestDelivery = async (
  tx: EventTransaction,
  webhook: WebhookRow,
  event: EventName | undefined,
): Promise<DeliveryRow> => {
  await requireSendable(tx.sql, webhook);
  const { id: webhookId, accountId, variant } = webhook;
  const eventName = event ?? firstSubscribed(webhook);
  if (!eventsOfVariant(variant).includes(eventName)) {
    throw invalid({ path: 'event', message: `not for a dashboard webhook: ${eventName}` });
  }
  // Ids of the log are by the database's clock; the log of events has none for a test.
  const [made] = await tx.sql<{ id: string; eventId: string; at: Date }[]>`
    select uuidv7() as id, uuidv7() as event_id, clock_timestamp() as at`;
  if (!made) throw new Error('the database has no time');
  const { id, eventId, at } = made;
  const body = createEnvelope(variant, createSampleEvent(eventName, at), showId('delivery', id));
  const told = { accountId, eventId, eventName, contactId: null, isTest: true };
  const delivery = { id, webhookId, variant, status: 'pending', body } as const;
  await insertDeliveries(tx, [{ told, deliveries: [delivery], traceparent: currentTraceparent() }]);
  await tx.tell(changed(accountId, 'deliveries'));
  const row = await findDelivery(tx.sql, { accountId, variants: [variant] }, id);
  if (!row) throw new Error('the test delivery was not inserted');
  return row;
};

const requireSendable = async (sql: Sql, { id, disabledReason }: WebhookRow): Promise<void> => {
  const unmet = (await checkPreconditions(sql, [id])).get(id);
  if (unmet === 'webhook_disabled' && disabledReason === 'unverified') {
    throw new RequestError('conflict', 'This webhook is not verified. Verify it first.');
  }
  requirePreconditions(unmet);
};

const firstSubscribed = ({ variant, events: [first] }: Pick<WebhookRow, 'variant' | 'events'>): EventName =>
  eventsOfVariant(variant).find((name) => name === first) ?? 'new_message';
