import { connectReads } from '../api/reads.ts';
import { connectForMessages } from '../shared/messages/inbound/share-statements.ts';
import { connectForBatches } from '../shared/deliveries/outbox/statements.ts';
import { connectForStreams } from '../shared/hints/hear-others.ts';
import { connectDatabase, type Database, type DatabaseTarget } from '../shared/platform/db/connect.ts';

/** How often the database is probed, in ms. Twice as long without an answer means that the connections have lost it. */
const watching = { probeMs: 10_000 };

/** The connections of every process; docs/operations.md has their numbers. Each pool is closed with `started`. */
export const createPools = (target: DatabaseTarget, started: AsyncDisposableStack) => ({
  db: closedWith(started, connectDatabase(target, watching)),
  forBatches: closedWith(started, connectForBatches(target, watching)),
  // For statements over all weeks of the logs, whose plans take up to 10 MB of a connection. They wait for no lock.
  forSurveys: closedWith(started, connectDatabase(target, { max: 2, ...watching })),
});

/** Those that a process which serves the API has beside them. */
export const createApiPools = (target: DatabaseTarget, started: AsyncDisposableStack) => {
  const forStreams = connectForStreams(target, watching);
  closedWith(started, forStreams.db);
  return {
    forReads: closedWith(started, connectReads(target, watching)),
    forMessages: closedWith(started, connectForMessages(target, watching)),
    forStreams,
  };
};

export type ApiPools = ReturnType<typeof createApiPools>;

const closedWith = (started: AsyncDisposableStack, pool: Database): Database => {
  started.defer(() => pool.end({ timeout: 5 }));
  return pool;
};
