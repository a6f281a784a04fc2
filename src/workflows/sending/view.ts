import { setCurrentDetails } from '@temporalio/workflow';
import { attemptsPerRound, retryDelaysMs, sayDelay } from '../../shared/deliveries/ladder.ts';
import type { Ended, NextTurn, Turn, TurnOutcome } from '../../shared/sendings/types.ts';

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

/** Shows what the last turn came to, and how many messages ended as what. */
export const showTurn = (turn: Exclude<Turn, { type: 'over' }>, { sent, failed, unknown }: Ended): void => {
  const counts = `${sent} sent, ${failed} failed, ${unknown} unknown.`;
  if (turn.type === 'unrecorded')
    return setCurrentDetails(`**${turn.attempt.messageId}** is to be recorded. ${counts}`);
  const met = turn.type === 'ended' ? turn.status : retryIn(turn);
  const why = turn.type === 'ended' && turn.status !== 'sent' ? `: ${sayOutcome(turn)}` : '';
  setCurrentDetails(turn.type === 'ended' ? `**${turn.messageId} ${met}**${why}. ${counts}` : `**${met}**. ${counts}`);
};
