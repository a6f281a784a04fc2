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

/** A delivery, with what its workflow's id is made of. */
type CarriedDelivery = DeliveryRow & { accountId: string; inProgress: boolean; sleeping: boolean };

type ActionDeps = { db: Database; temporal: () => Client | undefined };

const columns = (sql: Sql) => sql`
  ${deliveryColumns(sql)}, account_id, in_progress,
  coalesce(next_attempt_at > clock_timestamp(), false) as sleeping`;

/** The most extra attempts of one round: many for a person, few for a program. */
const manualAttemptsPerRound = 20;

/**
 * Asks the workflow of a sleeping delivery for one extra attempt now, and starts it where its first attempt has failed just now. The ladder stays
 * as it is. Two requests at the same moment make one attempt. Answers the delivery as it was. Throws `not_found`; `conflict` when it does not sleep, or its round has had its extra
 * attempts; `unavailable` when no workflow heard the request, which then does not count, and the sweep looks after the lost workflow
 * at once. Signals from Temporal's UI are the operator's and are not counted.
 */
export const retryDelivery = async (
  { db, temporal }: ActionDeps,
  scope: WebhookScope,
  id: string,
): Promise<DeliveryRow> => {
  const delivery = await countManualAttempt(db, scope, id);
  let heard = false;
  try {
    heard = await askForAttempt(temporal(), delivery);
  } finally {
    if (!heard) await discountManualAttempt(db, delivery);
  }
  if (heard) return delivery;
  await sweepSoon(db, [delivery.id]);
  // The workflow may have closed because the delivery has just ended. Then that is the answer.
  await getSleeping(db, scope, id);
  throw new RequestError(
    'unavailable',
    'The workflow of this delivery is lost: another one goes on with it within seconds. Try again then.',
  );
};

/** False when the delivery's workflow has closed. */
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
 * Ends a delivery unsent, whether it is under way, sleeps or is parked. A POST that is under way and succeeds ends it as delivered all the
 * same. The database decides, whether or not Temporal answers, because every attempt asks it first. A second cancellation changes and
 * counts nothing. Throws `not_found`, and `conflict` when the delivery has ended otherwise.
 */
export const cancelDelivery = async (
  sql: Sql,
  scope: WebhookScope,
  id: string,
): Promise<CarriedDelivery & Pick<RoundEnd, 'counts'>> => {
  const [ended] = await sql<(CarriedDelivery & Pick<RoundEnd, 'counts'>)[]>`
    update deliveries set
      status = case when succeeded_at is null then 'cancelled' else 'delivered' end,
      finished_at = clock_timestamp(), next_attempt_at = null, sweep_at = null
    where id = ${id} and ${inScope(sql, scope)} and (in_progress or status = 'parked')
    returning ${columns(sql)}, not is_test as counts`;
  if (ended) return ended;
  const delivery = await getCarried(sql, scope, id);
  if (delivery.status === 'cancelled') return { ...delivery, counts: false };
  throw new RequestError('conflict', `This delivery has ended as ${delivery.status}: there is nothing to cancel.`);
};

/**
 * Has the workflow of a cancelled delivery end now instead of at its next attempt. Nothing depends on it: it does nothing while Temporal is
 * away or when there is no such workflow.
 */
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

/** Counts an extra attempt before it is asked for. The same statement checks the bound, so that concurrent requests cannot exceed it. */
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
    `This delivery has had the ${manualAttemptsPerRound} extra attempts of its round: its next one comes by itself.`,
  );
};

/** Takes back the count of a request that no workflow heard. */
const discountManualAttempt = (sql: Sql, { id, round }: DeliveryRow) => sql`
  update deliveries set manual_attempts_asked = manual_attempts_asked - 1
  where id = ${id} and round = ${round} and manual_attempts_asked > 0`;

const whyAwake = ({ inProgress, status }: CarriedDelivery): string => {
  if (inProgress) return 'An attempt of this delivery is under way or about to be made.';
  return status === 'parked'
    ? 'This delivery is parked, for its webhook may not be sent to: replay it when that is mended.'
    : `This delivery has ended as ${status}: replay it to send it again.`;
};
