import type { Client } from '@temporalio/client';
import type { Database, Sql } from '../platform/db/connect.ts';
import { RequestError, found } from '../errors.ts';
import { startOnce } from '../platform/dispatch/start-once.ts';
import { asSignal } from '../platform/dispatch/work.ts';
import { signalWorkflow, temporalAway } from '../platform/temporal/signal.ts';
import { inScope, type WebhookScope } from '../webhooks/queries.ts';
import { deliveryColumns } from './queries.ts';
import type { DeliveryRow } from './schema.ts';
import { sweepSoon, type RoundEnd } from './rounds.ts';
import { deliveryWork } from './work.ts';
import { deliveryWorkflowId } from './workflow.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';

type CarriedDelivery = DeliveryRow & { accountId: string; inProgress: boolean; sleeping: boolean };

type ActionDeps = { db: Database; temporal: () => Client | undefined };

const columns = (sql: Sql) => sql`
  ${deliveryColumns(sql)}, account_id, in_progress,
  coalesce(next_attempt_at > clock_timestamp(), false) as sleeping`;

/** The most extra attempts of one round: many for an agent, few for a program. */
const manualAttemptsPerRound = 20;

/**
 * Asks the workflow of a sleeping delivery for one extra attempt beside the ladder, and starts the workflow where there is none yet. Two requests at
 * the same moment make one attempt. Answers the delivery as it was. Throws `not_found`; `conflict` when it does not sleep or has had its extra
 * attempts; `unavailable`, uncounted, when no workflow took the request. Signals from Temporal's UI are the operator's and are not counted.
 */
export const retryDelivery = async (
  { db, temporal }: ActionDeps,
  scope: WebhookScope,
  id: string,
): Promise<DeliveryRow> => {
  const delivery = await countManualAttempt(db, scope, id);
  let isTaken = false;
  try {
    isTaken = await askForAttempt(temporal(), delivery);
  } finally {
    if (!isTaken) await discountManualAttempt(db, delivery);
  }
  if (isTaken) return delivery;
  await sweepSoon(db, [delivery.id]);
  // A workflow that has closed because the delivery has just ended makes this a conflict.
  await getSleeping(db, scope, id);
  throw new RequestError(
    'unavailable',
    'The workflow of this delivery is lost. Another one continues within seconds. Try again then.',
  );
};

/** False when the workflow has closed. */
const askForAttempt = async (client: Client | undefined, delivery: CarriedDelivery): Promise<boolean> => {
  if (!client) throw temporalAway();
  const mode = { eager: false, settled: false };
  try {
    return (await startOnce(client, asSignal(deliveryWork, delivery, 'retryNow'), mode)) !== undefined;
  } catch (error) {
    throw temporalAway(error);
  }
};

/**
 * Ends a delivery that is under way, sleeps or is parked; a POST under way that succeeds makes it delivered all the same. Needs no Temporal, because
 * every attempt asks the database first. A second call changes nothing. Throws `not_found`, and `conflict` when the delivery has ended otherwise.
 */
export const cancelDelivery = async (
  { sql, tell }: Writer,
  scope: WebhookScope,
  id: string,
): Promise<CarriedDelivery & Pick<RoundEnd, 'counts'>> => {
  const [ended] = await sql<(CarriedDelivery & Pick<RoundEnd, 'counts'>)[]>`
    update deliveries set
      status = case when succeeded_at is null then 'cancelled' else 'delivered' end,
      finished_at = clock_timestamp(), next_attempt_at = null, sweep_at = null
    where id = ${id} and ${inScope(sql, scope)} and (in_progress or status = 'parked')
    returning ${columns(sql)}, not is_test as counts`;
  if (ended) {
    await tell(changed(ended.accountId, 'deliveries'));
    return ended;
  }
  const delivery = await getCarried(sql, scope, id);
  if (delivery.status === 'cancelled') return { ...delivery, counts: false };
  throw new RequestError('conflict', `This delivery is ${delivery.status} already.`);
};

/** Ends the workflow of a cancelled delivery now, if it can; otherwise it ends at its next attempt. */
export const tellCancelled = async (client: Client | undefined, delivery: CarriedDelivery): Promise<void> => {
  await signalWorkflow(client, deliveryWorkflowId(delivery), 'cancel').catch(() => false);
};

const getCarried = async (sql: Sql, scope: WebhookScope, id: string): Promise<CarriedDelivery> => {
  const [delivery] = await sql<CarriedDelivery[]>`
    select ${columns(sql)} from deliveries where id = ${id} and ${inScope(sql, scope)}`;
  return found('delivery', delivery);
};

const getSleeping = async (sql: Sql, scope: WebhookScope, id: string): Promise<CarriedDelivery> => {
  const delivery = await getCarried(sql, scope, id);
  if (delivery.sleeping) return delivery;
  throw new RequestError('conflict', whyAwake(delivery));
};

/** Checks the bound in the statement that counts, so that concurrent requests cannot exceed it. */
const countManualAttempt = async (sql: Sql, scope: WebhookScope, id: string): Promise<CarriedDelivery> => {
  const [delivery] = await sql<CarriedDelivery[]>`
    update deliveries set manual_attempts_asked = manual_attempts_asked + 1
    where id = ${id} and ${inScope(sql, scope)} and next_attempt_at > clock_timestamp()
      and manual_attempts_asked < ${manualAttemptsPerRound}
    returning ${columns(sql)}`;
  if (delivery) return delivery;
  await getSleeping(sql, scope, id);
  throw new RequestError(
    'conflict',
    `This delivery had all ${manualAttemptsPerRound} extra attempts of its round. Wait for the scheduled one.`,
  );
};

const discountManualAttempt = (sql: Sql, { id, round }: DeliveryRow) => sql`
  update deliveries set manual_attempts_asked = manual_attempts_asked - 1
  where id = ${id} and round = ${round} and manual_attempts_asked > 0`;

const whyAwake = ({ inProgress, status }: CarriedDelivery): string => {
  if (inProgress) return 'An attempt of this delivery is under way or about to be made.';
  return status === 'parked'
    ? 'This delivery is parked, for its webhook may not be sent to: replay it when that is mended.'
    : `This delivery has ended as ${status}: replay it to send it again.`;
};
