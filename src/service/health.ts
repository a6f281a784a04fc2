import { databaseAnswers, type Database } from '../shared/platform/db/connect.ts';
import type { watchStarts } from '../shared/platform/dispatch/start-watch.ts';
import type { linkTemporal } from '../shared/platform/temporal/link.ts';

type Parts = {
  db: Database;
  link: Pick<ReturnType<typeof linkTemporal>, 'answers' | 'workersRunning'>;
  watch: Pick<ReturnType<typeof watchStarts>, 'failing'>;
};

/** Creates what says which parts of a process work now. */
export const createHealth =
  ({ db, link, watch }: Parts) =>
  async () => ({
    postgres: upDown(await databaseAnswers(db)),
    temporal: upDown(await link.answers()),
    worker: upDown(link.workersRunning()),
    starts: upDown(!watch.failing()),
  });

const upDown = (answers: boolean): 'up' | 'down' => (answers ? 'up' : 'down');
