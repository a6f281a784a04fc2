import { ApplicationFailure } from '@temporalio/common';

/**
 * An attempt throws this when it has not begun, because its webhook or account has its share under way. It is nobody's fault, and
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
