import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { attemptsPerRound, retryDelaysMs, sayDelay } from '../../shared/deliveries/ladder.ts';
import type { AttemptKey, AttemptOutcome, DeliveryStatus } from '../../shared/deliveries/types.ts';
import { searchAttributes } from '../../shared/temporal/search-attributes.ts';

// What an operator reads in Temporal's UI: ids, numbers and enums, nothing private.

const sayAttempt = (number: number): string => `attempt ${number} of ${attemptsPerRound}`;

/** The summary of an attempt: "attempt 2 of 6", "manual attempt 1". */
export const summarize = ({ kind, number }: Pick<AttemptKey, 'kind' | 'number'>): string =>
  kind === 'manual' ? `manual attempt ${number}` : sayAttempt(number);

/** The summary of the timer before the ladder's attempt `number`: "retry 3 of 5 in 2 min". */
export const retryIn = (number: number, dueInMs: number): string =>
  `retry ${number - 1} of ${retryDelaysMs.length} in ${sayDelay(dueInMs)}`;

/** A moment as operators read it, to the second; a workflow's clock is the one of its history. */
const sayTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const sayOutcome = ({ statusCode, reason, durationMs }: AttemptOutcome): string =>
  `${statusCode === undefined ? (reason ?? 'no answer') : `answered ${statusCode}`} after ${durationMs} ms`;

/** After a failed attempt of the ladder: the delivery has left the happy path, which search can find. */
export const showFailure = (number: number, outcome: AttemptOutcome, dueInMs: number): void => {
  const next = dueInMs > 0 ? `Attempt ${number + 1} at ${sayTime(Date.now() + dueInMs)}.` : 'No attempt is left.';
  setCurrentDetails(`**Attempt ${number} of ${attemptsPerRound} failed**: ${sayOutcome(outcome)}. ${next}`);
  if (statusShown() !== 'retrying') setStatus('retrying');
};

/** At the end; a healthy delivery sets no search attribute, which saves it an event. */
export const showEnd = (status: DeliveryStatus): DeliveryStatus => {
  setCurrentDetails(`**${status}**`);
  if (status !== 'delivered' || statusShown() !== undefined) setStatus(status);
  return status;
};

const statusShown = () => workflowInfo().typedSearchAttributes.get(searchAttributes.deliveryStatus);

const setStatus = (status: DeliveryStatus): void =>
  upsertSearchAttributes([{ key: searchAttributes.deliveryStatus, value: status }]);
