import { showId } from '../shared/ids.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { EndedRun } from '../shared/runs/engine/ended-run.ts';
import type { AdvanceInTransactionDeps } from '../shared/runs/engine/advance-in-transaction.ts';
import type { RunMetrics } from '../shared/runs/metrics.ts';

type Run = Pick<EndedRun, 'id' | 'accountId' | 'flowId'>;

const idsOf = ({ id, accountId, flowId }: Run) => ({
  run_id: showId('run', id),
  account_id: showId('account', accountId),
  flow_id: showId('flow', flowId),
});

/** Tells the log that a run has entered its first block. */
const tellStart = (log: Logger, { version, ...run }: Run & { version: number }): void =>
  log.info({ ...idsOf(run), version }, 'run.started');

/** Tells log and metrics that a run has ended, and why. */
export const tellEnd = ({ log, metrics }: { log: Logger; metrics: RunMetrics }, run: EndedRun): void => {
  const { status, reason, blockId, durationMs } = run;
  metrics.runEnded(status);
  log.info({ ...idsOf(run), status, reason, block_id: blockId, duration_ms: durationMs }, 'run.ended');
};

/** Tells the log of a pass that has thrown, and was left to the workflow of the run. */
export const tellPassFailure = (log: Logger, runId: string, error: unknown): void =>
  log.warn({ err: error, run_id: showId('run', runId) }, 'run.pass_failed');

/** Tells of passes that were made in the transactions that caused them. */
export const tellPass = (deps: {
  log: Logger;
  metrics: RunMetrics;
}): Pick<AdvanceInTransactionDeps, 'onPass' | 'onFailure'> => ({
  onPass: ({ started, ended }) => {
    if (started) tellStart(deps.log, started);
    if (ended) tellEnd(deps, ended);
  },
  onFailure: (runId, error) => tellPassFailure(deps.log, runId, error),
});
