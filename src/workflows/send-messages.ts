import { CancellationScope, continueAsNew, proxyActivities, sleep, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { Ended, NextTurn, SendMessages, Turn } from '../shared/messages/outbound/types.ts';
import { unreachable } from '../shared/unreachable.ts';
import { retryIn, showTurn, summarize } from './sending/view.ts';

/**
 * The messages of one conversation, one after the other in the order in which they were queued: each is tried until it is taken, at once and
 * then 30 s, 1, 2, 4 and 8 minutes after the failure before it. Ends when none is queued. Nothing breaks off an attempt that is under way.
 */
export async function sendMessages(sending: SendMessages): Promise<Ended> {
  return CancellationScope.nonCancellable(() => sendAll(sending));
}

async function sendAll(sending: SendMessages): Promise<Ended> {
  const ended = { ...(sending.ended ?? { sent: 0, failed: 0, unknown: 0 }) };
  let next: NextTurn = {};
  for (;;) {
    const turn = await takeTurn(sending, next);
    if (turn.type === 'over') return ended;
    if (turn.type === 'ended') ended[turn.status] += 1;
    showTurn(turn, ended);
    if (turn.type === 'ended' && !turn.more) return ended;
    next = await waitForNext(turn);
    if (turn.type === 'ended' && workflowInfo().continueAsNewSuggested) {
      return continueAsNew<typeof sendMessages>({ ...sending, ended });
    }
  }
}

/** A failed attempt is followed by the next one at its time. An outcome that could not be written is handed in again. */
async function waitForNext(turn: Exclude<Turn, { type: 'over' }>): Promise<NextTurn> {
  switch (turn.type) {
    case 'ended':
      return {};
    case 'unrecorded':
      return { unrecorded: turn.attempt };
    case 'wait':
      await sleep(turn.dueInMs, { summary: retryIn(turn) });
      return { due: { messageId: turn.messageId, number: turn.attemptsMade + 1 } };
    default:
      return unreachable(turn);
  }
}

/** One attempt, in the turn of its account and channel. Our own faults, such as an absent database, are retried until they are mended. */
function takeTurn(sending: SendMessages, next: NextTurn): Promise<Turn> {
  const { priority } = workflowInfo();
  const { sendNextMessage } = proxyActivities<Activities>({
    startToCloseTimeout: '15 s',
    retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
    summary: summarize(next),
    ...(priority && { priority }),
  });
  return sendNextMessage({ sendingId: sending.sendingId, resumes: sending.resumes }, next);
}
