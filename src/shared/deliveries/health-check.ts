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
 * Asks the endpoint of a webhook whether it is healthy. Variant B is asked for its consent. Variant A gets its oldest parked delivery, or a
 * challenge when there is none, as evidence that the endpoint takes real deliveries again. The check stands among that delivery's attempts
 * and counts for none: the delivery stays parked until its owner replays it, and receivers discard the repeated id (specification 6.2).
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

/** A parked delivery as it would be sent; read at this time by the database's clock. */
type ParkedDelivery = { id: string; round: number; body: Buffer; readAt: Date };

/** The delivery that has been parked for longest. */
const findOldestParked = async (sql: Sql, webhookId: string): Promise<ParkedDelivery | undefined> => {
  const [row] = await sql<ParkedDelivery[]>`
    select id, round, body, clock_timestamp() as read_at from deliveries
    where webhook_id = ${webhookId} and status = 'parked' order by id limit 1`;
  return row;
};

/** The most checks of a round that are kept, the latest: repeated re-enablings must not fill the log. */
const keptOfRound = 20;

/**
 * Records the POST by which a re-enabling asked whether the endpoint is healthy, among the attempts of the parked delivery's round. It is no
 * attempt of the ladder and does not make the delivery delivered.
 */
export const recordHealthCheck = (
  db: Database,
  { deliveryId, round }: Round,
  check: Omit<AttemptRecord, 'generation'>,
): Promise<void> =>
  db.begin(async (sql) => {
    // Two re-enablings may ask at the same time. Each has a number of its own.
    await sql`select from deliveries where id = ${deliveryId} for no key update`;
    const ofRound = sql`delivery_id = ${deliveryId} and round = ${round} and kind = 'check'`;
    const [row] = await sql<{ last: number | null }[]>`select max(number) as last from attempts where ${ofRound}`;
    const number = (row?.last ?? 0) + 1;
    await insertAttempt(sql, { deliveryId, round, kind: 'check', number }, check);
    await sql`delete from attempts where ${ofRound} and number <= ${number - keptOfRound}`;
  });
