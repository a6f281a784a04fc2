import type { Sql } from '../platform/db/connect.ts';
import type { Transaction } from '../platform/dispatch/transact.ts';
import { notFound, RequestError } from '../errors.ts';
import { checkPreconditions, requirePreconditions } from '../webhooks/preconditions.ts';
import { inScope, type WebhookScope } from '../webhooks/queries.ts';
import type { RoundOrigin } from './origins.ts';
import { ownProcessId } from '../platform/processes/own-process.ts';
import { deliveryWork, outboxLeaseSeconds, workColumns, type DeliveryWorkRow } from './work.ts';
import { changed } from '../facts/changed.ts';
import type { EventTransaction } from '../facts/tell.ts';

/** The most rounds of a delivery, which bounds its log. */
const roundsAtMost = 100;

/**
 * Begins a new round of one delivery, with the same id and bytes. A delivery that has succeeded once stays delivered. Throws `not_found`,
 * `plan_required`, and `conflict` while a round is in progress, when its webhook may not be sent to, after its last round, and for a test event.
 */
export const replayDelivery = async (tx: EventTransaction, scope: WebhookScope, id: string): Promise<void> => {
  const [asked] = await tx.sql<{ webhookId: string }[]>`
    select webhook_id from deliveries where id = ${id} and ${inScope(tx.sql, scope)}`;
  if (!asked) throw notFound('delivery');
  const unmet = await checkPreconditions(tx.sql, [asked.webhookId]);
  const delivery = await lockDelivery(tx.sql, id);
  if (!delivery || !unmet.has(asked.webhookId)) throw notFound('delivery');
  if (delivery.isTest) throw new RequestError('conflict', 'Test events cannot be replayed. Send another one.');
  requirePreconditions(unmet.get(asked.webhookId));
  if (delivery.inProgress) throw new RequestError('conflict', 'This delivery is already in progress.');
  if (delivery.round >= roundsAtMost) {
    throw new RequestError('conflict', `This delivery has had ${roundsAtMost} rounds, as many as there may be.`);
  }
  await startRounds(tx, [id], { by: 'replay' });
  await tx.tell(changed(scope.accountId, 'deliveries'));
};

type LockedDelivery = { isTest: boolean; inProgress: boolean; round: number };

const lockDelivery = async (sql: Sql, id: string): Promise<LockedDelivery | undefined> => {
  const [row] = await sql<LockedDelivery[]>`
    select is_test, in_progress, round from deliveries where id = ${id} for update`;
  return row;
};

/**
 * Begins the next round of these deliveries, but for those with a round in progress or after their last one, and answers the number begun. The
 * caller holds the locks of `checkPreconditions`.
 */
export const startRounds = async (
  { sql, start }: Pick<Transaction, 'sql' | 'start'>,
  ids: readonly string[],
  origin: RoundOrigin,
): Promise<number> => {
  const stored = origin.by === 'replay' ? { by: origin.by } : { by: origin.by, replay_id: origin.replayId };
  const started = await sql<DeliveryWorkRow[]>`
    update deliveries set
      round = round + 1, status = case when succeeded_at is null then 'pending' else 'delivered' end, resumes = 0,
      attempts_made = 0, manual_attempts_asked = 0, first_attempt_at = null, first_attempt_generation = null,
      next_attempt_at = null, finished_at = null, without_workflow = false, sender = ${ownProcessId},
      sweep_at = clock_timestamp() + make_interval(secs => ${outboxLeaseSeconds}), sweeps = 0,
      round_origins = coalesce(round_origins, '{}') || jsonb_build_object(
        (round + 1)::text, ${sql.json(stored)}::jsonb || jsonb_build_object('at', clock_timestamp()))
    where id = any(${[...ids]}::uuid[]) and not in_progress and round < ${roundsAtMost}
    returning ${workColumns(sql)}`;
  const how = { ofOutbox: true, inBulk: origin.by !== 'replay' };
  for (const delivery of started) start(deliveryWork, { ...delivery, ...how });
  return started.length;
};
