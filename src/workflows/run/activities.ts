import {
  ActivityCancellationType,
  proxyActivities,
  proxyLocalActivities,
  TemporalFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { readRequestFailed } from '../../shared/runs/requests/request-failed.ts';
import { sayRequest } from './view.ts';
import type { AttemptResult, FiredTimer, Next, RunFlow } from '../../shared/runs/types.ts';

/** Our own faults, such as an absent database, are retried until they are over. */
const untilMended = { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' } as const;

/** A pass takes milliseconds; this is what the database may take. */
const passTimeout = '10 s';

type Ask = {
  /** The timer that has fired. */
  due: FiredTimer | undefined;
  /** A cancellation was asked for in Temporal's UI: the run's row hears of it first. */
  cancel: boolean;
};

/** Asks the run's row what is next: in this workflow task, and where that does not work, as an ordinary activity. */
export const advance = async (run: RunFlow, { due, cancel }: Ask): Promise<Next> => {
  const fairness = workflowInfo().priority ?? {};
  const summary = due === undefined ? 'what is next' : `step ${due.step} is due`;
  const options = { startToCloseTimeout: passTimeout, summary } as const;
  const ordinary = proxyActivities<Activities>({ ...options, retry: untilMended, priority: fairness });
  if (cancel) await ordinary.cancelRun(run);
  try {
    const local = proxyLocalActivities<Activities>({ ...options, retry: { maximumAttempts: 1 } });
    return await local.advanceRun(run, due);
  } catch (error) {
    // A local activity's fault comes unwrapped. Any other error is a fault of this code and fails the task.
    if (!(error instanceof TemporalFailure)) throw error;
    return ordinary.advanceRun(run, due);
  }
};

/** Makes one attempt of a request. It is broken off when the run is cancelled. */
export const callThirdParty = async (run: RunFlow, call: Extract<Next, { type: 'call' }>): Promise<AttemptResult> => {
  const { step, timeoutMs, lane } = call;
  const { callThirdParty: attempt } = proxyActivities<Activities>({
    startToCloseTimeout: timeoutMs + 60_000,
    heartbeatTimeout: '20 s',
    retry: untilMended,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: sayRequest(call),
    priority: { fairnessKey: lane },
  });
  try {
    return await attempt(run, step);
  } catch (error) {
    const failed = readRequestFailed(error);
    if (failed) return failed;
    throw error;
  }
};
