import type { Client } from '@temporalio/client';
import type { Database, Sql } from '../platform/db/connect.ts';
import { RequestError, notFound } from '../errors.ts';
import { signalWorkflow } from '../platform/temporal/signal.ts';
import { inScope, type WebhookScope } from '../webhooks/queries.ts';
import { deliveryColumns } from './queries.ts';
import type { DeliveryRow } from './schema.ts';
import type { RoundEnd } from './rounds.ts';
import { deliveryWorkflowId } from './workflow.ts';

/** A delivery, and what names the workflow that carries its round. */
type CarriedDelivery = DeliveryRow & { accountId: string; inProgress: boolean; sleeping: boolean };

type ActionDeps = { db: Database; temporal: () => Client | undefined };

const columns = (sql: Sql) => sql`
  ${deliveryColumns(sql)}, account_id, in_progress,
  coalesce(next_attempt_at > clock_timestamp(), false) as sleeping`;

/** Extra attempts that may be asked for in one round, many for people and few for programs. */
const manualAttemptsPerRound = 20;

/**
 * Asks the workflow of a sleeping delivery for one extra attempt now, which leaves the ladder as it is; answers the delivery
 * as it was asked. Asked twice at the same moment it is one attempt. Throws `not_found`; `conflict` when it does not sleep, or
 * its round has been asked for as many as it may; `unavailable` when no workflow heard it, which does not count, and then the
 * sweep looks at once after the one that is lost. A signal from Temporal's UI is the operator's: nothing counts it.
 */
export const retryDelivery = async (
  { db, temporal }: ActionDeps,
  scope: WebhookScope,
  id: string,
): Promise<DeliveryRow> => {
  const delivery = await countManualAttempt(db, scope, id);
  let heard = false;
  try {
    heard = await signalWorkflow(temporal(), deliveryWorkflowId(delivery), 'retryNow');
  } finally {
    if (!heard) await discountManualAttempt(db, delivery);
  }
  if (heard) return delivery;
  await sweepSoon(db, delivery);
  // It may have closed because the delivery has just ended: then that is the answer.
  await getSleeping(db, scope, id);
  throw new RequestError(
    'unavailable',
    'The workflow of this delivery is lost: another one goes on with it within seconds. Try again then.',
  );
};

/**
 * Ends a delivery unsent, one that is under way or sleeps as well as a parked one; a POST that is under way and succeeds ends it
 * as delivered all the same. Decided here, whether or not Temporal answers: every attempt asks the database first. Cancelled
 * twice it is cancelled, and counts once. Throws `not_found`, and `conflict` when it has ended otherwise.
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
 * Has the workflow of a delivery that was cancelled end now, instead of at its next attempt. Nothing depends on it: while
 * Temporal is away, or when there is no such workflow, nothing happens.
 */
export const tellCancelled = async (client: Client | undefined, delivery: CarriedDelivery): Promise<void> => {
  await signalWorkflow(client, deliveryWorkflowId(delivery), 'cancel').catch(() => false);
};

const getCarried = async (sql: Sql, scope: WebhookScope, id: string): Promise<CarriedDelivery> => {
  const [delivery] = await sql<CarriedDelivery[]>`
    select ${columns(sql)} from deliveries where id = ${id} and ${inScope(sql, scope)}`;
  if (!delivery) throw notFound('delivery');
  return delivery;
};

const getSleeping = async (sql: Sql, scope: WebhookScope, id: string): Promise<CarriedDelivery> => {
  const delivery = await getCarried(sql, scope, id);
  if (delivery.sleeping) return delivery;
  throw new RequestError('conflict', whyAwake(delivery));
};

/** Counts an attempt before it is asked for, in the statement that checks the bound: requests at the same moment share it. */
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

/** Nobody heard it. */
const discountManualAttempt = (sql: Sql, { id, round }: DeliveryRow) => sql`
  update deliveries set manual_attempts_asked = manual_attempts_asked - 1
  where id = ${id} and round = ${round} and manual_attempts_asked > 0`;

const whyAwake = ({ inProgress, status }: CarriedDelivery): string => {
  if (inProgress) return 'An attempt of this delivery is under way or about to be made.';
  return status === 'parked'
    ? 'This delivery is parked, for its webhook may not be sent to: replay it when that is mended.'
    : `This delivery has ended as ${status}: replay it to send it again.`;
};

/** The sweep's look is safe at any time: it starts nothing where a workflow runs. */
const sweepSoon = (sql: Sql, { id, round }: DeliveryRow) => sql`
  update deliveries set sweep_at = least(sweep_at, clock_timestamp())
  where id = ${id} and round = ${round} and in_progress`;
