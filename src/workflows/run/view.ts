import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow';
import { unreachable } from '../../shared/unreachable.ts';
import { searchAttributes } from '../../shared/platform/temporal/search-attributes.ts';
import type { Waiting } from '../../shared/runs/engine/run-state.ts';
import { hasFailed, sayMet } from '../../shared/runs/requests/request-failed.ts';
import { sayReason } from '../../shared/runs/requests/say-reason.ts';
import type { AttemptResult, Next, RunEnd } from '../../shared/runs/types.ts';
import { sayMoment } from '../say-moment.ts';

// What an operator reads in Temporal's UI: ids of blocks, numbers and enums, nothing private.

/** The summary of the timer before the next attempt of a request: "stock: HTTP 503; next attempt in 1 s". */
export const sayRetry = ({ blockId }: { blockId: string }, { retryInMs = 0, ...result }: AttemptResult): string => {
  const met = sayMet(result);
  return `${blockId}: ${result.item === undefined ? '' : `item ${result.item}, `}${met === undefined ? '' : `${met}; `}next attempt in ${Math.round(retryInMs / 100) / 10} s`;
};

/** What a request came to that is not made again: "stock: gave up after 2 attempts, HTTP 503". Undefined for one with a good answer. */
export const sayGivenUp = ({ blockId }: { blockId: string }, result: AttemptResult): string | undefined => {
  if (!hasFailed(result) || result.retryInMs !== undefined) return undefined;
  const made = result.attempt === 1 ? '1 attempt' : `${result.attempt} attempts`;
  const item = result.item === undefined ? '' : ` on item ${result.item}`;
  return `${blockId}: gave up${item} after ${made}, ${sayMet(result)}`;
};

/** How the run ended, as the workflow's result shows it. */
export const endOf = ({ status, reason }: RunEnd): RunEnd => ({ status, ...(reason !== undefined && { reason }) });

const waitsFor: Record<Waiting, string> = {
  reply: 'waits for a reply',
  delay: 'waits',
  event: 'waits for an event',
  child: 'waits for the end of the flow that it started',
  handover: 'waits for the end of the handover',
  foreground: 'waits while another run has the conversation',
  silence: 'waits while automation is silent for the contact',
  paused: 'waits while the flow is paused',
  call: 'waits for its request',
};

/** The summary of a request: "stock: request", and of one for an item "stock: request, item 3". */
export const sayRequest = ({ blockId, item }: { blockId: string; item?: number }): string =>
  `${blockId}: request${item === undefined ? '' : `, item ${item}`}`;

type Wait = Extract<Next, { type: 'wait' }>;

/** The summary of a wait's timer: "ask_size: waits for a reply until 2026-11-22 14:05:00 UTC". */
export const sayWait = ({ blockId, waiting, dueInMs }: Wait): string => {
  const until = dueInMs === undefined ? '' : ` until ${sayMoment(Date.now() + dueInMs)}`;
  return `${blockId}${blockId && ': '}${waitsFor[waiting]}${until}`;
};

/** "**failed** at stock: gave up after 2 attempts, HTTP 503." `givenUp` is the last request that came to nothing. */
const sayEnd = ({ status, reason, blockId }: Extract<Next, { type: 'over' }>, givenUp: string | undefined): string => {
  if (givenUp?.startsWith(`${blockId}: `)) return `**${status}** at ${givenUp}.`;
  const at = blockId === undefined || reason?.startsWith(`${blockId}: `) ? '' : ` at ${blockId}`;
  return `**${status}**${at}${reason ? `: ${sayReason(reason)}` : ''}${givenUp ? `; ${givenUp}` : ''}.`;
};

/** Shows what a request has met, and when it is made again. */
export const showRetry = (pause: string, inMs: number): void =>
  setCurrentDetails(`**${pause}**, at ${sayMoment(Date.now() + inMs)}.`);

/**
 * Shows where the run is and since when, and the last request that came to nothing: one that was made in a workflow task is not red in the timeline. A
 * run that completes sets no search attribute, which saves an event.
 */
export const showNext = (next: Next, givenUp?: string): void => {
  switch (next.type) {
    case 'wait':
      return setCurrentDetails(`**${sayWait(next)}**, since ${sayMoment(Date.now())}${givenUp ? `; ${givenUp}` : ''}.`);
    case 'call':
      return setCurrentDetails(`**${sayRequest(next)}**, since ${sayMoment(Date.now())}.`);
    case 'over':
      setCurrentDetails(sayEnd(next, givenUp));
      if (next.status !== 'completed')
        upsertSearchAttributes([{ key: searchAttributes.runStatus, value: next.status }]);
      return undefined;
    case 'more':
      return undefined;
    default:
      return unreachable(next);
  }
};
