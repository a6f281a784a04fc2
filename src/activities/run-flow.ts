import { asyncLocalStorage } from '@temporalio/activity';
import { readId } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import { advanceRun as advance, type AdvanceDeps } from '../shared/runs/engine/advance.ts';
import type { FirstPasses } from '../shared/platform/dispatch/first-passes.ts';
import { askForRun } from '../shared/runs/engine/ask-for-run.ts';
import { cancelRun as cancel } from '../shared/runs/life/cancel.ts';
import type { LocalRequests } from '../shared/runs/requests/local-requests.ts';
import type { RunMetrics } from '../shared/runs/metrics.ts';
import type { FiredTimer, Next, RunFlow } from '../shared/runs/types.ts';
import { createVersions } from '../shared/runs/engine/versions.ts';
import { tellPass } from './tell-run.ts';

export type RunDeps = Omit<AdvanceDeps, 'readVersion'> & {
  db: Database;
  firstPasses: Pick<FirstPasses, 'passed'>;
  localRequests: Pick<LocalRequests, 'place'>;
  log: Logger;
  metrics: RunMetrics;
};

/**
 * Makes one pass over a run, in one transaction, and decides whether the workflow task that asks makes the request behind it. Idempotent: a repeated
 * pass goes on from the rows.
 */
export const advanceRun = (deps: RunDeps) => {
  const readVersion = createVersions();
  const told = tellPass(deps);
  return async (run: RunFlow, fired?: FiredTimer): Promise<Next> => {
    const pass = () => advance({ ...deps, readVersion }, run, fired);
    try {
      const { next, started, ended } = await askForRun(deps.db, run, pass);
      told.onPass({ started, ended });
      const isLocal = asyncLocalStorage.getStore()?.info.isLocal ?? false;
      return isLocal && run.localRequests ? deps.localRequests.place(next) : next;
    } finally {
      deps.firstPasses.passed(readId('run', run.runId));
    }
  };
};

/** Cancels a run whose workflow was cancelled in Temporal's UI. Idempotent: a run that has ended stays as it ended. */
export const cancelRun =
  ({ db, transact }: Pick<RunDeps, 'db' | 'transact'>) =>
  async (run: RunFlow): Promise<void> => {
    const runId = readId('run', run.runId);
    await askForRun(db, run, () => transact((tx) => cancel(tx, { runId, reason: 'cancelled_by_operator' })));
  };
