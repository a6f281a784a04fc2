import { setCurrentDetails } from '@temporalio/workflow';
import { attemptsPerRound, retryDelaysMs, sayDelay } from '../../shared/deliveries/ladder.ts';
import type { Ended, NextSlot, Slot, SlotOutcome } from '../../shared/messages/outbound/types.ts';
import { unreachable } from '../../shared/unreachable.ts';
import { sayMoment } from '../say-moment.ts';

// What an operator reads in Temporal's UI: ids, numbers and enums, nothing private.

/** The summary of a slot: "msg_…: attempt 2 of 6". Which message is next is known only once it has its slot. */
export const summarize = ({ due, unrecorded, unsent }: NextSlot): string => {
  if (unsent) return `${unsent.messageId}: give back attempt ${unsent.attemptsMade + 1}, which sent nothing`;
  if (unrecorded) return `${unrecorded.messageId}: record attempt ${unrecorded.number}`;
  return due ? `${due.messageId}: attempt ${due.number} of ${attemptsPerRound}` : 'the next message';
};

const sayOutcome = ({ reason, statusCode }: SlotOutcome): string =>
  statusCode === undefined ? (reason ?? 'no attempt yet') : `HTTP ${statusCode}`;

/** The summary of the timer before the next attempt: "msg_…: HTTP 500; retry 3 of 5 in 2 min"; or before the next part. */
export const retryIn = (slot: Extract<Slot, { type: 'wait' }>): string =>
  slot.partsSent === undefined
    ? sayRetry(slot)
    : `${slot.messageId}: ${slot.partsSent} parts sent; the next one follows`;

const sayRetry = (slot: Extract<Slot, { type: 'wait' }>): string =>
  `${slot.messageId}: ${sayOutcome(slot)}; retry ${slot.attemptsMade} of ${retryDelaysMs.length} in ${sayDelay(slot.dueInMs)}`;

const saySlot = (slot: Exclude<Slot, { type: 'over' }>): string => {
  switch (slot.type) {
    case 'ended':
      return `${slot.messageId} ${slot.status}${slot.status === 'sent' ? '' : `: ${sayOutcome(slot)}`}`;
    case 'unrecorded':
      return `${slot.attempt.messageId} is to be recorded`;
    case 'unsent':
      return `${slot.messageId} was not sent, and is to be given back`;
    case 'wait':
      return retryIn(slot);
    default:
      return unreachable(slot);
  }
};

/** "2 sent, 1 failed": what no message has come to is left out. */
const sayEnded = ({ sent, failed, unknown }: Ended): string =>
  Object.entries({ sent, failed, unknown })
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');

/** Shows what the last slot came to, of a wait until when, and how many messages ended as what. */
export const showSlot = (slot: Exclude<Slot, { type: 'over' }>, ended: Ended): void => {
  const at = slot.type === 'wait' ? `, at ${sayMoment(Date.now() + slot.dueInMs)}` : '';
  const counted = sayEnded(ended);
  setCurrentDetails(`**${saySlot(slot)}**${at}.${counted && ` ${counted}.`}`);
};
