import { showId } from '../ids.ts';
import type { Database, Sql } from '../platform/db/connect.ts';
import { askEndpoint } from '../webhooks/ask-endpoint.ts';
import { createChallenge } from '../webhooks/challenge.ts';
import type { EndpointCheck, WebhookRow } from '../webhooks/schema.ts';
import { askForConsent, findEndpoint, type CheckDeps } from '../webhooks/verify.ts';
import { insertAttempt, type AttemptRecord } from './attempts.ts';
import { judgeExchange } from './judge-exchange.ts';
import type { Round } from './rounds.ts';

/**
 * Checks whether an endpoint is healthy. Variant B verifies again. Variant A gets its oldest parked delivery, or a challenge without one, as evidence
 * that it takes real deliveries. The delivery stays parked until its owner replays it, and receivers discard the repeated id (specification 6.2).
 */
export const checkHealth = async (deps: CheckDeps, webhook: WebhookRow): Promise<EndpointCheck> => {
  if (webhook.variant === 'dashboard') return askForConsent(deps, webhook);
  const { db, egress } = deps;
  const endpoint = await findEndpoint(deps, webhook);
  const parked = await findOldestParked(db, webhook.id);
  if (!parked) return (await askEndpoint(egress, endpoint, createChallenge())).check;
  const { id: deliveryId, round, body, readAt } = parked;
  const { check, exchange, headers } = await askEndpoint(egress, endpoint, {
    id: showId('delivery', deliveryId),
    body,
  });
  if (exchange.type !== 'busy') {
    const outcome = judgeExchange(webhook.variant, exchange, headers);
    await recordHealthCheck(db, { deliveryId, round }, { ...outcome, startedAt: readAt });
  }
  return check;
};

type ParkedDelivery = { id: string; round: number; body: Buffer; readAt: Date };

const findOldestParked = async (sql: Sql, webhookId: string): Promise<ParkedDelivery | undefined> => {
  const [row] = await sql<ParkedDelivery[]>`
    select id, round, body, clock_timestamp() as read_at from deliveries
    where webhook_id = ${webhookId} and status = 'parked' order by id limit 1`;
  return row;
};

/** The number of latest checks that are kept, so that repeated re-enablings do not fill the log. */
const keptOfRound = 20;

/** Records a check among the attempts of the round, outside of the ladder, without a change of the delivery. */
export const recordHealthCheck = (
  db: Database,
  { deliveryId, round }: Round,
  check: Omit<AttemptRecord, 'generation'>,
): Promise<void> =>
  db.begin(async (sql) => {
    // The lock gives two re-enablings at the same time different numbers.
    await sql`select from deliveries where id = ${deliveryId} for no key update`;
    const ofRound = sql`delivery_id = ${deliveryId} and round = ${round} and kind = 'check'`;
    const [row] = await sql<{ last: number | null }[]>`select max(number) as last from attempts where ${ofRound}`;
    const number = (row?.last ?? 0) + 1;
    await insertAttempt(sql, { deliveryId, round, kind: 'check', number }, check);
    await sql`delete from attempts where ${ofRound} and number <= ${number - keptOfRound}`;
  });
