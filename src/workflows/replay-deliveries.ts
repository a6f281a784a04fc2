import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { sayCount } from '../shared/replays/count.ts';
import type { BatchResult, ReplayDeliveries } from '../shared/replays/types.ts';
import { asItsAccount, takeStretches } from './bulk/stretches.ts';

/** A bulk replay: deliveries go out again, each stretch at the replay's pace. Answers how the replay ended. */
export async function replayDeliveries(replay: ReplayDeliveries): Promise<BatchResult['type']> {
  const ended = await takeStretches<BatchResult>({
    noun: 'replay',
    takeStretch: (summary) => proxyActivities<Activities>({ ...asItsAccount(), summary }).replayBatches(replay),
    stop: (asked) => proxyActivities<Activities>(asItsAccount()).stopReplay(replay.replayId, asked, replay.resumes),
    sayFrom: ({ replayed, skipped, total }) => `from ${sayCount(replayed + skipped)} of ${sayCount(total)}`,
    show: showProgress,
  });
  return ended ?? continueAsNew<typeof replayDeliveries>(replay);
}

/** What an operator reads in Temporal's UI. */
function showProgress({ type, total, replayed, skipped }: BatchResult): void {
  const counted = `${sayCount(replayed)} of ${sayCount(total)} replayed${skipped > 0 ? `, ${sayCount(skipped)} skipped` : ''}`;
  setCurrentDetails(`**${type === 'more' ? 'running' : type}**: ${counted}.`);
}
