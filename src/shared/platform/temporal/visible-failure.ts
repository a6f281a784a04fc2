import { ActivityFailure, ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';

/** Stands in histories of 0.3. */
const type = 'AttemptFailed';

/**
 * Shows an attempt that failed as a failed activity in Temporal's UI, with a result for its workflow. It is not retryable: the workflow decides about
 * retries.
 */
export const visibleFailure = (message: string, result: object): ApplicationFailure => {
  const failure = ApplicationFailure.create({
    type,
    message,
    nonRetryable: true,
    category: ApplicationFailureCategory.BENIGN,
    details: [result],
  });
  // The stack would only name this line.
  delete failure.stack;
  return failure;
};

/** Whether an activity has thrown a `visibleFailure`. */
export const isVisibleFailure = (error: unknown): error is ApplicationFailure =>
  error instanceof ApplicationFailure && error.type === type;

/** What a `visibleFailure` has for its workflow. Undefined for every other error. */
export const readVisibleFailure = (error: unknown): unknown => {
  // A local activity's failure comes as it was thrown, an ordinary one's inside an ActivityFailure.
  const failure = error instanceof ActivityFailure ? error.cause : error;
  return isVisibleFailure(failure) ? failure.details?.[0] : undefined;
};
