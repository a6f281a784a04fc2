import { SpanKind, type Span } from '@opentelemetry/api';
import { channelKinds } from '../shared/messages/channels/kinds.ts';
import type { SendOutcome } from '../shared/messages/channels/kind.ts';
import { readId, showId } from '../shared/ids.ts';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import { withDeadline } from '../shared/platform/deadline.ts';
import type { Transact } from '../shared/platform/dispatch/transact.ts';
import type { Egress } from '../shared/platform/egress/client.ts';
import { sayFailure } from '../shared/platform/egress/failure-details.ts';
import type { Logger } from '../shared/platform/log.ts';
import type { Secrets } from '../shared/platform/secrets/seal.ts';
import { currentTraceId, failSpan, inSpan } from '../shared/platform/telemetry/tracing.ts';
import type { OutboundMetrics } from '../shared/messages/outbound/metrics.ts';
import {
  takeSlot,
  closeLane,
  giveBackSlot,
  recordSlot,
  type Head,
  type LaneKey,
  type SlotRecord,
} from '../shared/messages/outbound/slots.ts';
import type { NextSlot, SendMessages, Slot, SlotOutcome } from '../shared/messages/outbound/types.ts';

export type LaneDeps = {
  db: Database;
  transact: Transact;
  egress: Egress;
  secrets: Secrets;
  log: Logger;
  metrics: OutboundMetrics;
};

/** How long the database may take before the exchange, and again after it, in ms, as for the attempt of a delivery. */
const bookkeepingMs = 2_000;

/**
 * Gives the oldest queued message of a lane its slot: one attempt, or less where it is not due or must not be sent. An attempt that
 * is recorded is not made again. One that was sent and not recorded, because of a crash in between, is sent again with the same id. Throws only
 * before the attempt, for our own faults.
 */
export const sendNextMessage =
  (deps: LaneDeps) =>
  async ({ sendingId, resumes }: SendMessages, { due, unrecorded }: NextSlot = {}): Promise<Slot> => {
    if (unrecorded) return record(deps, { ...unrecorded, messageId: readId('message', unrecorded.messageId) });
    const key = { sendingId: readId('sending', sendingId), resumes };
    const head = await nextHead(deps, key, due && { ...due, messageId: readId('message', due.messageId) });
    if (head === 'over') return { type: 'over' };
    const { at, contactStatus, channel, message, attemptsMade } = head;
    if (at === null) return { type: 'wait', dueInMs: head.dueInMs, ...lastOutcome(head) };
    const attempt = { messageId: message.id, number: attemptsMade + 1 };
    if (contactStatus !== 'active') {
      deps.log.info({ message_id: showId('message', message.id), reason: contactStatus }, 'message.withheld');
      return record(deps, { ...attempt, outcome: 'withheld', reason: contactStatus });
    }
    if (!channelKinds[channel.type].hasTarget(channel)) {
      return record(deps, { messageId: message.id, number: attemptsMade, outcome: 'sent' });
    }
    return send(deps, { ...head, at }, attempt);
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

type Begun = Head & { at: Date };

const send = async (deps: LaneDeps, head: Begun, attempt: { messageId: string; number: number }): Promise<Slot> => {
  const { channel, message } = head;
  const kind = channelKinds[channel.type];
  const attributes = () => ({
    'parley.message_id': showId('message', message.id),
    'parley.account_id': showId('account', channel.accountId),
    'parley.channel_id': showId('channel', channel.id),
    'parley.number': attempt.number,
  });
  return inSpan('message.attempt', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const outcome = await kind.send(deps, head);
    if (outcome.type === 'later') {
      await giveBackSlot(deps.db, message.id);
      throw busy(outcome.retryAfterMs);
    }
    tell(deps, span, head, { outcome, number: attempt.number });
    const made = { ...attempt, ...asRecord(outcome) };
    try {
      return await withDeadline(bookkeepingMs, 'recording the outcome', () => record(deps, made));
    } catch (error) {
      // It was sent. To throw would send it again, so the workflow has the outcome recorded.
      deps.log.error({ err: error, message_id: showId('message', message.id) }, 'message.attempted_unrecorded');
      return { type: 'unrecorded', attempt: { ...made, messageId: showId('message', message.id) } };
    }
  });
};

type Tried = Exclude<SendOutcome, { type: 'later' }>;

/** As it stands in Temporal's history, where it could not be recorded. */
const asRecord = (met: Tried) => {
  if (met.type === 'sent') return { outcome: met.type, ...(met.statusCode && { statusCode: met.statusCode }) };
  const { reason, detail, statusCode } = met;
  return {
    outcome: 'failed' as const,
    reason,
    ...(detail && { detail }),
    ...(statusCode && { statusCode }),
    ...(met.type === 'unanswered' ? { unanswered: true } : met.permanent && { final: true }),
  };
};

const tell = (
  { metrics, log }: LaneDeps,
  span: Span,
  { channel, message }: Begun,
  { outcome, number }: { outcome: Tried; number: number },
): void => {
  const { reason, detail } = outcome.type === 'sent' ? {} : outcome;
  const told = reason === undefined ? 'sent' : 'failed';
  metrics.messageAttempted(told, reason);
  span.setAttributes({ 'parley.outcome': told, 'http.response.status_code': outcome.statusCode });
  if (reason !== undefined) failSpan(span, reason);
  log.info(
    {
      message_id: showId('message', message.id),
      account_id: showId('account', channel.accountId),
      channel_id: showId('channel', channel.id),
      number,
      outcome: told,
      reason,
      detail,
      message: detail && sayFailure(detail),
      status: outcome.statusCode,
      duration_ms: outcome.durationMs,
      trace_id: currentTraceId(),
    },
    'message.attempted',
  );
};

/** Records what a slot came to, and counts a message that it ends. */
const record = async ({ transact, metrics }: LaneDeps, made: SlotRecord): Promise<Slot> => {
  const { messageId, number, outcome, reason, statusCode } = made;
  const recorded = await recordSlot(transact, made);
  const attemptsMade = outcome === 'withheld' ? number - 1 : number;
  const met = {
    messageId: showId('message', messageId),
    attemptsMade,
    ...(reason && { reason }),
    ...(statusCode !== undefined && { statusCode }),
  };
  if (recorded.type === 'wait') return { ...recorded, ...met };
  const { changed, ...ended } = recorded;
  if (changed) metrics.messageEnded(ended.status);
  return { ...ended, ...met };
};
