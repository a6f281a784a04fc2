import type { Database } from '../shared/platform/db/connect.ts';
import { endRound, takeOverRound, type Round } from '../shared/deliveries/rounds.ts';
import type { DeliveryStatus, RoundProgress } from '../shared/deliveries/types.ts';
import { readId } from '../shared/ids.ts';
import type { DeliveryMetrics } from '../shared/deliveries/metrics.ts';
import { topicsOf, type TellTopics } from '../shared/facts/topics.ts';

type Deps = { db: Database; tellTopics: TellTopics; metrics: DeliveryMetrics };

const withUuid = ({ deliveryId, round }: Round): Round => ({ deliveryId: readId('delivery', deliveryId), round });

/** Reads what is recorded of a round whose workflow was lost. A delivery that retention has removed counts as cancelled. */
export const loadRound =
  ({ db }: Pick<Deps, 'db'>) =>
  async (round: Round): Promise<RoundProgress> =>
    (await takeOverRound(db, withUuid(round))) ?? {
      status: 'cancelled',
      inProgress: false,
      attemptsMade: 0,
      manualAttemptsMade: 0,
      dueInMs: 0,
    };

/** Ends a sleeping delivery unsent. Idempotent: a round that is over stays as it ended. */
export const cancelDelivery =
  (deps: Deps) =>
  (round: Round): Promise<DeliveryStatus> =>
    end(deps, round, 'cancelled');

/** Ends an exhausted delivery of variant B as `dropped`; it stays in the delivery log (specification 6.4). Idempotent as `cancelDelivery`. */
export const dropDelivery =
  (deps: Deps) =>
  (round: Round): Promise<DeliveryStatus> =>
    end(deps, round, 'dropped');

const end = async (
  { db, tellTopics, metrics }: Deps,
  round: Round,
  status: DeliveryStatus,
): Promise<DeliveryStatus> => {
  const end = await endRound(db, withUuid(round), status);
  if (end.accountId !== undefined) tellTopics(topicsOf([end.accountId], 'deliveries'));
  metrics.ended(end);
  return end.status;
};
