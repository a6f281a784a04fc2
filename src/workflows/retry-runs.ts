import { continueAsNew, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { sayCount } from '../shared/replays/count.ts';
import type { RetryResult, RetryRuns } from '../shared/retries/types.ts';
import { asItsAccount, takeStretches } from './bulk/stretches.ts';

/** A bulk retry: failed runs go on from their block, each stretch at the retry's pace. Answers how the retry ended. */
export async function retryRuns(retry: RetryRuns): Promise<RetryResult['type']> {
  const ended = await takeStretches<RetryResult>({
    noun: 'retry',
    takeStretch: (summary) => proxyActivities<Activities>({ ...asItsAccount(), summary }).retryBatches(retry),
    stop: (asked) => proxyActivities<Activities>(asItsAccount()).stopRetry(retry.retryId, asked, retry.resumes),
    sayFrom: ({ retried, refused, total }) => `from ${sayCount(retried + refused)} of ${sayCount(total)}`,
    show: showProgress,
  });
  return ended ?? continueAsNew<typeof retryRuns>(retry);
}

/** What an operator reads in Temporal's UI. */
function showProgress({ type, total, retried, refused }: RetryResult): void {
  const counted = `${sayCount(retried)} of ${sayCount(total)} runs retried${refused > 0 ? `, ${sayCount(refused)} refused` : ''}`;
  setCurrentDetails(`**${type === 'more' ? 'running' : type}**: ${counted}.`);
}
