import {
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { BatchResult, ReplayDeliveries } from '../shared/replays/types.ts';

/** Our own faults (a database away) are retried until they are mended. */
const { replayBatch, stopReplay } = proxyActivities<Activities>({
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
});

/** Ends this workflow; the owner, or an operator, has the replay resumed in one of its own. */
const pause = defineSignal('pause');

/** Ends the replay; what it has begun goes on. */
const cancel = defineSignal('cancel');

/** So that a history stays short: about ten events a batch. */
const batchesPerRun = 300;

/**
 * A bulk replay: one batch a second, each as large as its pace, until PostgreSQL, which is the record, has no more or
 * says that it was paused or cancelled. Answers what it ended with.
 */
export async function replayDeliveries(replay: ReplayDeliveries): Promise<BatchResult['type']> {
  const requests = listenForRequests();
  return CancellationScope.nonCancellable(() => takeBatches(replay, requests));
}

async function takeBatches(replay: ReplayDeliveries, requests: Requests): Promise<BatchResult['type']> {
  for (let batch = 0; batch < batchesPerRun || requests.asked(); batch += 1) {
    const asked = requests.asked();
    const result = asked ? await stopReplay(replay.replayId, asked) : await replayBatch(replay);
    showProgress(result);
    if (result.type !== 'more') return result.type;
    await condition(() => requests.asked() !== undefined, '1 s');
  }
  return continueAsNew<typeof replayDeliveries>(replay);
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
  const counted = `**${grouped(replayed)} of ${grouped(total)}** replayed${skipped > 0 ? `, ${grouped(skipped)} skipped` : ''}`;
  setCurrentDetails(type === 'more' ? `${counted}.` : `${counted}. ${type}.`);
}

const grouped = (count: number): string => count.toLocaleString('en');
