import { deleteOldIdempotencyKeys } from '../shared/idempotency/keys.ts';
import type { Database } from '../shared/db/connect.ts';
import { createLogPartitions } from '../shared/db/migrate.ts';
import type { Sweep } from '../shared/dispatch/sweep.ts';
import type { Logger } from '../shared/log.ts';
import { startPeriodic } from '../shared/periodic.ts';

const sweepEveryMs = 5_000;
const tidyEveryMs = 3_600_000;

/** What every process does beside its work: the sweep every few seconds, the partitions ahead and old rows every hour. */
export const keepHouse = ({ db, sweep, log }: { db: Database; sweep: Sweep; log: Logger }) => {
  const sweeping = startPeriodic(sweep, { name: 'sweep', everyMs: sweepEveryMs, log });
  const tidy = async (): Promise<void> => {
    await createLogPartitions(db);
    await deleteOldIdempotencyKeys(db);
    await db`delete from sessions where expires_at < now()`;
  };
  const tidying = startPeriodic(tidy, { name: 'housekeeping', everyMs: tidyEveryMs, log });
  return { stop: () => Promise.all([sweeping.stop(), tidying.stop()]) };
};
