import { readId, showId } from '../shared/ids.ts';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import { withDeadline } from '../shared/platform/deadline.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import type { EventTransact } from '../shared/facts/tell.ts';
import { makeAttempt, type AttemptMaker } from '../shared/messages/outbound/make-attempt.ts';
import { closeLane, recordSlot, type SlotRecord } from '../shared/messages/outbound/record-slot.ts';
import { pauseChannel } from '../shared/messages/outbound/channel-pauses.ts';
import { giveBackSlot, takeSlot, type BegunHead, type Head, type LaneKey } from '../shared/messages/outbound/slots.ts';
import type { NextSlot, SendMessages, Slot, SlotOutcome, Unsent } from '../shared/messages/outbound/types.ts';

export type LaneDeps = AttemptMaker & { db: Database; transact: EventTransact };

/** How long the database may take before the exchange, and again after it, in ms, as for the attempt of a delivery. */
const bookkeepingMs = 2_000;

/** How soon and how late a message is tried again that its channel has put off, in ms. */
const putOffMs = { atLeast: 100, atMost: 15 * 60_000 };

/**
 * Gives the oldest queued message of a lane its slot: one attempt, or less where it is not due or must not be sent. An attempt that
 * is recorded is not made again. One that was sent and not recorded, because of a crash in between, is sent again with the same id where the kind of
 * its channel bears that. Throws only before the attempt, for our own faults, or when nothing was sent and the slot is given back.
 */
export const sendNextMessage =
  (deps: LaneDeps) =>
  async (
    { sendingId, resumes, from }: Pick<SendMessages, 'sendingId' | 'resumes' | 'from'>,
    { due, unrecorded, unsent }: NextSlot = {},
  ): Promise<Slot> => {
    const key = { sendingId: readId('sending', sendingId), resumes, from };
    if (unrecorded) return record(deps, key, { ...unrecorded, messageId: readId('message', unrecorded.messageId) });
    if (unsent) return giveBack(deps, unsent);
    const head = await nextHead(deps, key, due && { ...due, messageId: readId('message', due.messageId) });
    if (head === 'over') return { type: 'over' };
    const { at } = head;
    return at === null
      ? { type: 'wait', dueInMs: head.dueInMs, ...lastOutcome(head) }
      : send(deps, key, { ...head, at });
  };

/** The message that has the slot. An empty lane is closed, unless a message is queued at the same moment. */
const nextHead = async (
  { db, transact }: LaneDeps,
  key: LaneKey,
  due: { messageId: string; number: number } | undefined,
): Promise<Head | 'over'> => {
  for (;;) {
    const head = await withDeadline(bookkeepingMs, 'reading what to send', () => takeSlot(db, key, due));
    if (head !== 'empty') return head;
    if (await closeLane(transact, key)) return 'over';
  }
};

const lastOutcome = ({ message, attemptsMade, reason, statusCode }: Head): SlotOutcome => ({
  messageId: showId('message', message.id),
  attemptsMade,
  ...(reason && { reason }),
  ...(statusCode !== null && { statusCode }),
});

const send = async (deps: LaneDeps, key: LaneKey, head: BegunHead): Promise<Slot> => {
  const made = await makeAttempt(deps, head);
  if (made.type === 'later') {
    const dueInMs = Math.min(putOffMs.atMost, Math.max(putOffMs.atLeast, made.retryAfterMs ?? 0));
    const messageId = showId('message', head.message.id);
    const unsent = { messageId, attemptsMade: head.attemptsMade, dueInMs, begunAt: head.at.toISOString() };
    try {
      await giveBack(deps, unsent);
    } catch (error) {
      // To throw would have the next attempt find the mark of this one, as if it might have arrived.
      deps.log.warn({ err: error, message_id: messageId }, 'message.not_given_back');
      return { type: 'unsent', ...unsent };
    }
    if (made.pausesChannel) await pauseChannel(deps.db, head.channel.id, made.retryAfterMs ?? 0);
    throw busy(dueInMs);
  }
  if (made.type === 'unsent') return record(deps, key, made.record);
  try {
    return await withDeadline(bookkeepingMs, 'recording the outcome', () => record(deps, key, made.record));
  } catch (error) {
    // It was sent. To throw would send it again, so the workflow has the outcome recorded.
    deps.log.error({ err: error, message_id: showId('message', head.message.id) }, 'message.attempted_unrecorded');
    return { type: 'unrecorded', attempt: { ...made.record, messageId: showId('message', head.message.id) } };
  }
};

/** Gives a slot back. What has it may begin only afterwards, with another attempt. */
const giveBack = async ({ db }: LaneDeps, { begunAt, ...unsent }: Unsent): Promise<Slot> => {
  const attempt = { messageId: readId('message', unsent.messageId), at: new Date(begunAt) };
  await withDeadline(bookkeepingMs, 'giving a slot back', () => giveBackSlot(db, attempt));
  return { type: 'wait', ...unsent };
};

/** Records what a slot came to, and counts a message that it ends. */
const record = async (deps: LaneDeps, { from }: LaneKey, made: SlotRecord): Promise<Slot> => {
  const { messageId, number, outcome, reason, statusCode } = made;
  const recorded = await recordSlot(deps, made, { sender: from });
  const attemptsMade = outcome === 'withheld' ? number - 1 : number;
  const met = {
    messageId: showId('message', messageId),
    attemptsMade,
    ...(reason && { reason }),
    ...(statusCode !== undefined && { statusCode }),
  };
  if (recorded.type === 'part') {
    return { type: 'wait', dueInMs: 0, messageId: met.messageId, attemptsMade: 0, partsSent: (made.part ?? 0) + 1 };
  }
  if (recorded.type === 'wait') return { ...recorded, ...met };
  const { changed, ...ended } = recorded;
  if (changed) deps.metrics.messageEnded(ended.status, 'workflow');
  return { ...ended, ...met };
};
