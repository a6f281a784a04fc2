import type { ApplicationFailure } from '@temporalio/common';
import { readVisibleFailure, visibleFailure } from '../platform/temporal/visible-failure.ts';
import { sayCause } from './ladder.ts';
import type { RecordedAttempt } from './types.ts';

/** Shows a failed attempt as failed in Temporal's UI. The ladder makes the retries. */
export const attemptFailed = (result: RecordedAttempt): ApplicationFailure => visibleFailure(sayCause(result), result);

/** The result of an attempt from its failed activity, local or ordinary. Undefined when the activity failed for a fault of ours. */
export const readAttemptFailed = (error: unknown): RecordedAttempt | undefined => {
  const result = readVisibleFailure(error);
  return isRecorded(result) ? result : undefined;
};

const isRecorded = (result: unknown): result is RecordedAttempt =>
  typeof result === 'object' && result !== null && 'type' in result && result.type === 'recorded';
