import { Client } from '@temporalio/client';
import type { Logger } from '../shared/platform/log.ts';
import { connectTemporal, type TemporalConnection } from '../shared/platform/temporal/connect.ts';
import { registerSearchAttributes } from '../shared/platform/temporal/register-search-attributes.ts';
import { registerSchedules } from '../shared/retention/schedule.ts';
import type { Queue } from './workers.ts';

type Preparation = { embedded?: string | undefined; queues: readonly Queue[]; log: Logger };

/**
 * Connects to Temporal and registers the search attributes, and the schedules where this process works on their queue. Where it lacks
 * the right to, the log says so, and `doctor` says more.
 */
export const connectPrepared = async ({ embedded, queues, log }: Preparation): Promise<TemporalConnection> => {
  const temporal = await connectTemporal({ embedded });
  await registerSearchAttributes(temporal.connection, temporal.namespace).catch((error: unknown) =>
    log.warn({ err: error }, 'temporal.search_attributes_unregistered'),
  );
  if (queues.includes('maintenance')) {
    await registerSchedules(new Client(temporal)).catch((error: unknown) =>
      log.warn({ err: error }, 'temporal.schedules_unregistered'),
    );
  }
  return temporal;
};
