import { setCurrentDetails } from '@temporalio/workflow';
import { attemptsPerRound, retryDelaysMs, sayDelay } from '../../shared/deliveries/ladder.ts';
import type { Ended, NextTurn, Turn, TurnOutcome } from '../../shared/messages/outbound/types.ts';
import { unreachable } from '../../shared/unreachable.ts';
import { sayMoment } from '../say-moment.ts';

// What an operator reads in Temporal's UI: ids, numbers and enums, nothing private.

/** The summary of a turn: "msg_…: attempt 2 of 6". Which message is next is known only once it has its turn. */
export const summarize = ({ due, unrecorded }: NextTurn): string => {
  if (unrecorded) return `${unrecorded.messageId}: record attempt ${unrecorded.number}`;
  return due ? `${due.messageId}: attempt ${due.number} of ${attemptsPerRound}` : 'attempt 1 of the next message';
};

const sayOutcome = ({ reason, statusCode }: TurnOutcome): string =>
  statusCode === undefined ? (reason ?? 'no attempt yet') : `HTTP ${statusCode}`;

/** The summary of the timer before the next attempt: "msg_…: HTTP 500; retry 3 of 5 in 2 min". */
export const retryIn = (turn: Extract<Turn, { type: 'wait' }>): string =>
  `${turn.messageId}: ${sayOutcome(turn)}; retry ${turn.attemptsMade} of ${retryDelaysMs.length} in ${sayDelay(turn.dueInMs)}`;

const sayTurn = (turn: Exclude<Turn, { type: 'over' }>): string => {
  switch (turn.type) {
    case 'ended':
      return `${turn.messageId} ${turn.status}${turn.status === 'sent' ? '' : `: ${sayOutcome(turn)}`}`;
    case 'unrecorded':
      return `${turn.attempt.messageId} is to be recorded`;
    case 'wait':
      return retryIn(turn);
    default:
      return unreachable(turn);
  }
};

/** Shows what the last turn came to, of a wait since when, and how many messages ended as what. */
export const showTurn = (turn: Exclude<Turn, { type: 'over' }>, { sent, failed, unknown }: Ended): void => {
  const since = turn.type === 'wait' ? `, since ${sayMoment(Date.now())}` : '';
  setCurrentDetails(`**${sayTurn(turn)}**${since}. ${sent} sent, ${failed} failed, ${unknown} unknown.`);
};
