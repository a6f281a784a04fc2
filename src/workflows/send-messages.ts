import { CancellationScope, continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { Ended, NextSlot, SendMessages, Slot } from '../shared/messages/outbound/types.ts';
import { unreachable } from '../shared/unreachable.ts';
import { retryIn, showSlot, summarize } from './sending/view.ts';

/**
 * The messages of one conversation after an attempt has failed, one after the other in the order in which they were queued: each is tried until it
 * is taken, at once and then 30 s, 1, 2, 4 and 8 minutes after the failure before it. Ends when none is queued. Nothing breaks off an attempt.
 */
export async function sendMessages(sending: SendMessages): Promise<Ended> {
  return CancellationScope.nonCancellable(() => sendAll(sending));
}

async function sendAll(sending: SendMessages): Promise<Ended> {
  const { unrecorded, ...lane } = sending;
  const ended = { ...(sending.ended ?? { sent: 0, failed: 0, unknown: 0 }) };
  let next: NextSlot = unrecorded ? { unrecorded } : {};
  for (;;) {
    const slot = await takeSlot(lane, next);
    if (slot.type === 'over') return ended;
    if (slot.type === 'ended' && slot.status !== 'withdrawn') ended[slot.status] += 1;
    showSlot(slot, ended);
    if (slot.type === 'ended' && !slot.more) return ended;
    next = await waitForNext(slot);
    if (slot.type === 'ended' && workflowInfo().continueAsNewSuggested) {
      return continueAsNew<typeof sendMessages>({ ...lane, ended });
    }
  }
}

/** A failed attempt is followed by the next one at its time. An outcome that could not be written, or a slot that could not be given back, is handed in again. */
async function waitForNext(slot: Exclude<Slot, { type: 'over' }>): Promise<NextSlot> {
  switch (slot.type) {
    case 'ended':
      return {};
    case 'unrecorded':
      return { unrecorded: slot.attempt };
    case 'unsent': {
      const { messageId, attemptsMade, dueInMs, begunAt } = slot;
      return { unsent: { messageId, attemptsMade, dueInMs, begunAt } };
    }
    case 'wait':
      await sleep(slot.dueInMs, { summary: retryIn(slot) });
      return { due: { messageId: slot.messageId, number: slot.attemptsMade + 1 } };
    default:
      return unreachable(slot);
  }
}

/** One attempt, behind those of its account and channel that wait. Our own faults, such as an absent database, are retried until they are over. */
function takeSlot(sending: SendMessages, next: NextSlot): Promise<Slot> {
  const { priority } = workflowInfo();
  const { sendNextMessage } = proxyActivities<Activities>({
    startToCloseTimeout: '15 s',
    retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
    summary: summarize(next),
    ...(priority && { priority }),
  });
  const { sendingId, resumes, from } = sending;
  return sendNextMessage({ sendingId, resumes, ...(from && { from }) }, next);
}
