import { CancellationScope, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { FiredTimer, Next, RunEnd, RunFlow } from '../shared/runs/types.ts';
import { advance, callThirdParty } from './run/activities.ts';
import { listenForWakes, nothingSeen, type Seen } from './run/wakes.ts';
import { endOf, sayGivenUp, sayRetry, showNext, showRetry } from './run/view.ts';

/**
 * One contact on its way through one version of a flow. PostgreSQL has the program counter: this workflow asks what is next, makes
 * requests, and waits, until the run is over. Answers how it ended.
 */
export async function runFlow({ first, ...run }: RunFlow): Promise<RunEnd> {
  const wakes = listenForWakes();
  return CancellationScope.nonCancellable(async () => {
    let due: FiredTimer | undefined;
    let told: { seen: Seen; next: Next } | undefined = first && { seen: nothingSeen, next: first };
    let givenUp: string | undefined;
    for (;;) {
      // Before asking: what comes while the answer is on its way ends the wait at once.
      const seen = told?.seen ?? wakes.seen();
      const next = told?.next ?? (await advance(run, { due, cancel: wakes.cancelled() }));
      due = undefined;
      told = undefined;
      showNext(next, givenUp);
      if (next.type === 'over') return endOf(next);
      if (next.type === 'call') {
        const result = await callThirdParty(run, next, (attempt) => wakes.untilEnded(seen, attempt));
        givenUp = sayGivenUp(next, result) ?? givenUp;
        if (result.retryInMs !== undefined) {
          const pause = sayRetry(next, result);
          showRetry(pause, result.retryInMs);
          await wakes.pause(seen, result.retryInMs, pause);
          // The attempt itself finds in the row whether it is still to be made.
          const { local: _, ...again } = next;
          if (run.localRequests && !wakes.ended(seen)) told = { seen, next: again };
        } else if (result.next && !wakes.cancelled()) {
          told = { seen, next: result.next };
        }
      } else if (next.type === 'wait' && !(await wakes.after(seen, next))) {
        due = dueOf(next);
      }
      // A cancellation in Temporal's UI is told to the row before: the workflow that follows would not know of it.
      if (workflowInfo().continueAsNewSuggested && !wakes.cancelled()) await continueAsNew<typeof runFlow>(run);
    }
  });
}

/** The timer of a wait. */
const dueOf = ({ step, dueAt }: Extract<Next, { type: 'wait' }>): FiredTimer | undefined =>
  dueAt === undefined ? undefined : { step, at: dueAt };
