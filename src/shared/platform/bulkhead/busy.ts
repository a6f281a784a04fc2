import { ApplicationFailure } from '@temporalio/common';

/**
 * What an attempt throws that has not begun because its webhook or account has its share under way: no fault of anybody.
 * Temporal tries it again after `retryInMs`.
 */
export const busy = (retryInMs?: number): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'Busy',
    message: 'its share of attempts is under way',
    ...(retryInMs !== undefined && { nextRetryDelay: retryInMs }),
  });

/** Whether an activity has thrown `busy`. */
export const isBusy = (error: unknown): boolean => error instanceof ApplicationFailure && error.type === 'Busy';
