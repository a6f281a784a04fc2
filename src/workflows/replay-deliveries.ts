import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { sayCount } from '../shared/replays/count.ts';
import type { BatchResult, ReplayDeliveries } from '../shared/replays/types.ts';

/** Our own faults, such as an absent database, are retried until they are mended. */
const options = {
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
} as const;

/** With the fairness key of the workflow, which is its account's. */
const asItsAccount = () => {
  const { priority } = workflowInfo();
  return { ...options, ...(priority && { priority }) };
};

/** Ends this workflow. Resuming the replay starts another one. */
const pause = defineSignal('pause');

/** Ends the replay. Rounds that it has begun go on. */
const cancel = defineSignal('cancel');

/** Continues as new after so many stretches, to keep the history short: a stretch of some seconds adds about seven events. */
const stretchesPerRun = 300;

/**
 * A bulk replay: stretches of some seconds, each at the replay's pace, until PostgreSQL has no more deliveries for it or says that it was
 * paused or cancelled. PostgreSQL is the record. Answers how the replay ended.
 */
export async function replayDeliveries(replay: ReplayDeliveries): Promise<BatchResult['type']> {
  const requests = listenForRequests();
  return CancellationScope.nonCancellable(() => replayAll(replay, requests));
}

async function replayAll(replay: ReplayDeliveries, requests: Requests): Promise<BatchResult['type']> {
  let summary = 'from where it stands';
  for (let stretch = 0; stretch < stretchesPerRun || requests.asked(); stretch += 1) {
    const result = await replayStretch(replay, { requests, summary });
    showProgress(result);
    if (result.type !== 'more') return result.type;
    summary = `from ${sayCount(result.replayed + result.skipped)} of ${sayCount(result.total)}`;
  }
  return continueAsNew<typeof replayDeliveries>(replay);
}

/** A pause or cancel is recorded at once. The stretch under way finds it and ends with its batch. */
async function replayStretch(
  replay: ReplayDeliveries,
  { requests, summary }: { requests: Requests; summary: string },
): Promise<BatchResult> {
  const batches = proxyActivities<Activities>({ ...asItsAccount(), summary }).replayBatches(replay);
  await Promise.race([batches, condition(() => requests.asked() !== undefined)]);
  const asked = requests.asked();
  if (!asked) return batches;
  const stopped = await proxyActivities<Activities>(asItsAccount()).stopReplay(replay.replayId, asked, replay.resumes);
  await batches;
  return stopped;
}

type Requests = { asked: () => 'paused' | 'cancelled' | undefined };

/** A cancellation requested in Temporal's UI is the same as the signal `cancel`: the replay's row must know of it. */
function listenForRequests(): Requests {
  const requested = { pause: false, cancel: false };
  setHandler(pause, () => void (requested.pause = true), { description: 'Pauses the replay.' });
  setHandler(cancel, () => void (requested.cancel = true), { description: 'Ends the replay.' });
  CancellationScope.current().cancelRequested.catch(() => (requested.cancel = true));
  return { asked: () => (requested.cancel ? 'cancelled' : requested.pause ? 'paused' : undefined) };
}

/** What an operator reads in Temporal's UI. */
function showProgress({ type, total, replayed, skipped }: BatchResult): void {
  const counted = `**${sayCount(replayed)} of ${sayCount(total)}** replayed${skipped > 0 ? `, ${sayCount(skipped)} skipped` : ''}`;
  setCurrentDetails(type === 'more' ? `${counted}.` : `${counted}. ${type}.`);
}
