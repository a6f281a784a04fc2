import { ActivityFailure, ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { sayCause } from './ladder.ts';
import type { RecordedAttempt } from './types.ts';

const type = 'AttemptFailed';

/** Shows a failed attempt as failed in Temporal's UI; it is not retryable, because the ladder makes the retries. */
export const attemptFailed = (result: RecordedAttempt): ApplicationFailure => {
  const failure = ApplicationFailure.create({
    type,
    message: sayCause(result),
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
    details: [result],
  });
  // The stack would only name this line.
  delete failure.stack;
  return failure;
};

/** Whether an activity has thrown `attemptFailed`. */
export const isAttemptFailed = (error: unknown): error is ApplicationFailure =>
  error instanceof ApplicationFailure && error.type === type;

/** The result of an attempt from its failed activity, local or ordinary. Undefined when the activity failed for a fault of ours. */
export const readAttemptFailed = (error: unknown): RecordedAttempt | undefined => {
  // A local activity's failure comes as it was thrown, an ordinary one's inside an ActivityFailure.
  const failure = error instanceof ActivityFailure ? error.cause : error;
  const result: unknown = isAttemptFailed(failure) ? failure.details?.[0] : undefined;
  return isRecorded(result) ? result : undefined;
};

const isRecorded = (result: unknown): result is RecordedAttempt =>
  typeof result === 'object' && result !== null && 'type' in result && result.type === 'recorded';
