import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import { attemptsPerRound, retryDelaysMs, sayCause, sayDelay } from '../../shared/deliveries/ladder.ts';
import type {
  AttemptKey,
  AttemptOutcome,
  DeliverEvent,
  DeliveryEnd,
  DeliveryStatus,
  Disabling,
  RoundProgress,
} from '../../shared/deliveries/types.ts';
import { searchAttributes } from '../../shared/platform/temporal/search-attributes.ts';
import { unreachable } from '../../shared/unreachable.ts';
import { sayMoment } from '../say-moment.ts';

// What an operator reads in Temporal's UI: ids, numbers and enums, nothing private.

const sayAttempt = (number: number): string => `attempt ${number} of ${attemptsPerRound}`;

/** The summary of an attempt: "attempt 2 of 6", "manual attempt 1". */
export const summarize = ({ kind, number }: Pick<AttemptKey, 'kind' | 'number'>): string =>
  kind === 'manual' ? `manual attempt ${number}` : sayAttempt(number);

/** How far a round has come; `last` is the outcome of its latest attempt. */
export type Walk = Pick<RoundProgress, 'attemptsMade' | 'manualAttemptsMade' | 'last'>;

/** The summary of the timer before the ladder's next attempt: "HTTP 500; retry 3 of 5 in 2 min". */
export const retryIn = ({ attemptsMade, last }: Walk, dueInMs: number): string =>
  `${last ? `${sayCause(last)}; ` : ''}retry ${attemptsMade} of ${retryDelaysMs.length} in ${sayDelay(dueInMs)}`;

const sayOutcome = (outcome: AttemptOutcome): string =>
  outcome.statusCode === undefined ? sayCause(outcome) : `answered ${outcome.statusCode}`;

/** Shows a failed attempt of the ladder, and sets the search attribute: from now on search finds the delivery as failing. */
export const showFailure = ({ attemptsMade, last }: Walk, dueInMs: number): void => {
  const next =
    dueInMs > 0 ? `Attempt ${attemptsMade + 1} at ${sayMoment(Date.now() + dueInMs)}.` : 'No attempt is left.';
  const met = last ? `: ${sayOutcome(last)} after ${last.durationMs} ms` : '';
  setCurrentDetails(`**Attempt ${attemptsMade} of ${attemptsPerRound} failed**${met}. ${next}`);
  if (statusShown() !== 'retrying') setStatus('retrying');
};

/** Shows how the delivery ended and why, and what to do now. A healthy delivery sets no search attribute, which saves an event. */
export const showEnd = (
  { isTest }: Pick<DeliverEvent, 'isTest'>,
  end: DeliveryStatus | Disabling,
  walk: Walk,
): DeliveryEnd => {
  const { status, webhookDisabled } = typeof end === 'string' ? { status: end } : end;
  const parts = [sayAttempts(walk), isTest ? undefined : advice(status, { webhookDisabled, walk })];
  const why = parts.filter((part) => part !== undefined).join('; ');
  setCurrentDetails(why ? `**${status}**: ${why}` : `**${status}**`);
  if (status !== 'delivered' || statusShown() !== undefined) setStatus(status);
  const { reason, statusCode } = walk.last ?? {};
  return { status, ...(reason && { reason }), ...(statusCode !== undefined && { status_code: statusCode }) };
};

/** "1 attempt, answered 200 in 12 ms", "6 attempts, last answered 500". */
const sayAttempts = ({ attemptsMade, manualAttemptsMade, last }: Walk): string | undefined => {
  const made = attemptsMade + manualAttemptsMade;
  if (!last) return undefined;
  if (made > 1) return `${made} attempts, last ${sayOutcome(last)}`;
  return `1 attempt, ${sayOutcome(last)} ${last.statusCode === undefined ? 'after' : 'in'} ${last.durationMs} ms`;
};

const replayWhenHealthy = 'replay when its endpoint is healthy';

/** What an operator can do now, or what needs no action. */
const advice = (
  status: DeliveryStatus,
  { webhookDisabled, walk }: { webhookDisabled: boolean | undefined; walk: Walk },
): string | undefined => {
  switch (status) {
    case 'delivered':
      return walk.last?.outcome === 'failed' ? 'an earlier round had delivered it' : undefined;
    case 'failed':
      if (webhookDisabled === undefined) return 'replay when its endpoint is healthy and its webhook active';
      return webhookDisabled
        ? 'webhook disabled; re-enable it, then replay'
        : `webhook left active: another delivery succeeded, or the webhook was changed; ${replayWhenHealthy}`;
    case 'dropped':
      return `webhook still active; ${replayWhenHealthy}`;
    case 'parked':
      return "webhook disabled, or not in the account's plan; fix that, then replay";
    case 'cancelled':
      return 'on request, or with its webhook; no more attempts unless replayed';
    case 'pending':
    case 'retrying':
      return 'this round was over; a later one is in progress';
    default:
      return unreachable(status);
  }
};

const statusShown = () => workflowInfo().typedSearchAttributes.get(searchAttributes.deliveryStatus);

const setStatus = (status: DeliveryStatus): void =>
  upsertSearchAttributes([{ key: searchAttributes.deliveryStatus, value: status }]);
