import type { ApplicationFailure } from '@temporalio/common';
import { readVisibleFailure, visibleFailure } from '../../platform/temporal/visible-failure.ts';
import type { AttemptResult } from '../types.ts';
import { sayReason } from './say-reason.ts';

/** An attempt that got no good answer, and its number. */
type FailedAttempt = AttemptResult & { attempt: number };

/** Whether an attempt got no good answer. One that was not made has not failed. */
export const hasFailed = (result: AttemptResult): result is FailedAttempt => result.attempt !== undefined;

/** What an attempt met: "HTTP 503", "no answer in time". */
export const sayMet = ({ status, reason }: AttemptResult): string | undefined => {
  if (reason !== undefined) return sayReason(reason);
  return status === undefined ? undefined : `HTTP ${status}`;
};

/** Shows a failed attempt as failed in Temporal's UI. The run's workflow reads the result from it. */
export const requestFailed = (result: FailedAttempt): ApplicationFailure =>
  visibleFailure(
    `${result.item === undefined ? '' : `item ${result.item}, `}attempt ${result.attempt}: ${sayMet(result) ?? 'no good answer'}`,
    result,
  );

/** The result of an attempt from its failed activity. Undefined when the activity failed for a fault of ours. */
export const readRequestFailed = (error: unknown): AttemptResult | undefined => {
  const result = readVisibleFailure(error);
  return isFailedAttempt(result) ? result : undefined;
};

const isFailedAttempt = (result: unknown): result is FailedAttempt =>
  typeof result === 'object' && result !== null && 'attempt' in result && typeof result.attempt === 'number';
