import { deleteOldIdempotencyKeys } from '../shared/idempotency/keys.ts';
import type { Database } from '../shared/db/connect.ts';
import { createLogPartitions } from '../shared/db/migrate.ts';
import type { Sweep } from '../shared/dispatch/sweep.ts';
import type { Logger } from '../shared/log.ts';
import { startPeriodic } from '../shared/periodic.ts';
import { cancelDeleted } from '../shared/webhooks/cancel-deleted.ts';

const sweepEveryMs = 5_000;
const cancelEveryMs = 5_000;
const tidyEveryMs = 3_600_000;

/**
 * What every process does beside its work: the sweep and what deleted webhooks have left every few seconds, the partitions
 * ahead and old rows every hour.
 */
export const keepHouse = ({ db, sweep, log }: { db: Database; sweep: Sweep; log: Logger }) => {
  const sweeping = startPeriodic(sweep, { name: 'sweep', everyMs: sweepEveryMs, log });
  const cancelling = startPeriodic((signal) => cancelDeleted(db, signal), {
    name: 'cancel_deleted',
    everyMs: cancelEveryMs,
    log,
  });
  // Each by itself: one that fails must not keep the others from their turn.
  const hourly = (name: string, work: () => Promise<unknown>) =>
    startPeriodic(work, { name, everyMs: tidyEveryMs, log });
  const tidying = [
    hourly('log_partitions', () => createLogPartitions(db)),
    hourly('idempotency_keys', () => deleteOldIdempotencyKeys(db)),
    hourly('sessions', () => db`delete from sessions where expires_at < now()`),
  ];
  return { stop: () => Promise.all([sweeping, cancelling, ...tidying].map(({ stop }) => stop())) };
};
