import { ApplicationFailure } from '@temporalio/common';

/** Thrown before an attempt whose webhook or account has its share under way; Temporal tries it again after `retryInMs`. */
export const busy = (retryInMs?: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'Busy',
    message: 'its share of attempts is under way',
    ...(retryInMs !== undefined && { nextRetryDelay: retryInMs }),
  });

/** Whether an activity has thrown `busy`. */
export const isBusy = (error: unknown): boolean => error instanceof ApplicationFailure && error.type === 'Busy';
