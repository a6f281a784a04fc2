import type { Plan } from '../accounts/plans.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { deliveryColumns, type DeliveryRow } from './queries.ts';
import { deliveryWork, firstAttemptGraceSeconds } from './work.ts';
import { RequestError, invalid } from '../errors.ts';
import { createEnvelope } from '../events/envelope.ts';
import { eventsOfVariant, type EventName } from '../events/names.ts';
import { createSampleEvent } from '../events/samples.ts';
import { showId } from '../ids.ts';
import { requirePlan } from '../webhooks/preconditions.ts';
import type { WebhookRow } from '../webhooks/queries.ts';

/**
 * Makes a test event of a webhook: one delivery with sample data, of which one attempt is made, by the way of every other
 * delivery. It is marked as a test, belongs to no contact and counts for nothing. `event` is one of the webhook's variant, its
 * first subscribed one when not given. Throws `plan_required`, `conflict` for a webhook that may not be sent to, and
 * `invalid_request`.
 */
export const createTestDelivery = async (
  { sql, start }: Transaction,
  { id: webhookId, accountId, variant, ...webhook }: WebhookRow,
  { plan, event }: { plan: Plan; event: EventName | undefined },
): Promise<DeliveryRow> => {
  requireSendable(webhook, plan);
  const eventName = event ?? firstSubscribed({ variant, ...webhook });
  if (!eventsOfVariant(variant).includes(eventName)) {
    throw invalid({ path: 'event', message: `not for a dashboard webhook: ${eventName}` });
  }
  // By the database's clock, as every id of the log.
  const [now] = await sql<{ id: string; at: Date }[]>`select uuidv7() as id, clock_timestamp() as at`;
  if (!now) throw new Error('the database has no time');
  const { id, at } = now;
  const body = createEnvelope(variant, createSampleEvent(eventName, at), showId('delivery', id));
  // Its event has not happened, so the log of events has none of this id.
  const [row] = await sql<DeliveryRow[]>`
    insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, body, is_test, status, sweep_at)
    values (${id}, ${accountId}, ${webhookId}, uuidv7(), ${eventName}, ${variant}, ${body}, true, 'pending',
      clock_timestamp() + make_interval(secs => ${firstAttemptGraceSeconds}))
    returning ${deliveryColumns(sql)}`;
  if (!row) throw new Error('the test delivery was not inserted');
  const first = { round: 1, resumes: 0, attemptsMade: 0, isTest: true };
  start(deliveryWork, { id, accountId, webhookId, contactId: null, eventName, variant, ...first });
  return row;
};

const requireSendable = ({ status, disabledReason }: Pick<WebhookRow, 'status' | 'disabledReason'>, plan: Plan) => {
  requirePlan(plan);
  if (status === 'active') return;
  const why = disabledReason === 'unverified' ? 'not verified yet' : 'disabled';
  throw new RequestError('conflict', `This webhook is ${why}: it is sent nothing.`);
};

const firstSubscribed = ({ variant, events: [first] }: Pick<WebhookRow, 'variant' | 'events'>): EventName =>
  eventsOfVariant(variant).find((name) => name === first) ?? 'new_message';
