import {
  ActivityCancellationType,
  isCancellation,
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

type Call = Extract<Next, { type: 'call' }>;

/**
 * Makes one attempt of a request: in this workflow task where that has room for it. No signal comes before the task has ended, so `untilEnded`, which
 * breaks the attempt off when the run is cancelled, is for others.
 */
export const callThirdParty = async (
  run: RunFlow,
  call: Call,
  untilEnded: (attempt: () => Promise<AttemptResult>) => Promise<AttemptResult>,
): Promise<AttemptResult> => {
  const here = call.local ? await callHere(run, call) : undefined;
  return here && !here.ordinary ? here : untilEnded(() => callAsActivity(run, call));
};

const optionsOf = (call: Call) =>
  ({
    startToCloseTimeout: call.timeoutMs + 60_000,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    summary: sayRequest(call),
  }) as const;

/** Undefined for a fault of ours: the ordinary activity finds in the row whether anything was sent. */
const callHere = async (run: RunFlow, call: Call): Promise<AttemptResult | undefined> => {
  try {
    const local = proxyLocalActivities<Activities>({ ...optionsOf(call), retry: { maximumAttempts: 1 } });
    return await local.callThirdParty(run, call.step, call.lane);
  } catch (error) {
    if (!(error instanceof TemporalFailure) || isCancellation(error)) throw error;
    return undefined;
  }
};

const callAsActivity = async (run: RunFlow, call: Call): Promise<AttemptResult> => {
  const { step, lane } = call;
  const { callThirdParty: attempt } = proxyActivities<Activities>({
    ...optionsOf(call),
    heartbeatTimeout: '20 s',
    retry: untilMended,
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
