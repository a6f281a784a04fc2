import { SpanKind, type Span } from '@opentelemetry/api';
import { kindOf, type ChannelKinds } from '../shared/messages/channels/kinds.ts';
import type { ChannelKind, SendOutcome } from '../shared/messages/channels/kind.ts';
import { hasTarget } from '../shared/messages/channels/stored-config.ts';
import { findExcess } from '../shared/messages/outbound/limits.ts';
import { unsubscribe } from '../shared/runs/life/unsubscribe.ts';
import { readId, showId } from '../shared/ids.ts';
import { busy } from '../shared/platform/bulkhead/busy.ts';
import type { Database, Sql } from '../shared/platform/db/connect.ts';
import { withDeadline } from '../shared/platform/deadline.ts';
import type { EventTransact } from '../shared/facts/tell.ts';
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
import type { NextSlot, OutboundReason, SendMessages, Slot, SlotOutcome } from '../shared/messages/outbound/types.ts';

export type LaneDeps = {
  db: Database;
  transact: EventTransact;
  channelKinds: ChannelKinds;
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
    const { at, channel, message, attemptsMade } = head;
    if (at === null) return { type: 'wait', dueInMs: head.dueInMs, ...lastOutcome(head) };
    const attempt = { messageId: message.id, number: attemptsMade + 1 };
    const withheld = whyWithheld(head, kindOf(deps.channelKinds, channel.type));
    if (withheld) return withhold(deps, attempt, withheld);
    if (!hasTarget(channel)) {
      return record(deps, { messageId: message.id, number: attemptsMade, outcome: 'sent' });
    }
    return send(deps, { ...head, at }, attempt);
  };

/** Why the message must not be sent, or undefined. */
const whyWithheld = (
  { contactStatus, isDeleted, message }: Head,
  { declaration: { limits } }: ChannelKind,
): OutboundReason | undefined => {
  if (isDeleted) return 'channel_deleted';
  if (contactStatus !== 'active') return contactStatus;
  return findExcess(limits, message).length > 0 ? 'over_limits' : undefined;
};

const withhold = (deps: LaneDeps, attempt: Attempt, reason: OutboundReason): Promise<Slot> => {
  deps.log.info({ message_id: showId('message', attempt.messageId), reason }, 'message.withheld');
  return record(deps, { ...attempt, outcome: 'withheld', reason });
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

/** An attempt at a message, a UUID. */
type Attempt = { messageId: string; number: number };

/** How soon and how late a message is tried again that its channel has put off, and for how long it is put off in all, in ms. */
const putOffMs = { atLeast: 100, atMost: 15 * 60_000, inAll: 24 * 60 * 60_000 };

const send = async (deps: LaneDeps, head: Begun, attempt: Attempt): Promise<Slot> => {
  const { channel, message } = head;
  const kind = kindOf(deps.channelKinds, channel.type);
  const attributes = () => ({
    'parley.message_id': showId('message', message.id),
    'parley.account_id': showId('account', channel.accountId),
    'parley.channel_id': showId('channel', channel.id),
    'parley.number': attempt.number,
  });
  return inSpan('message.attempt', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const outcome = await kind.send(deps, head);
    if (outcome.type === 'later') {
      if (head.waitedMs > putOffMs.inAll) return withhold(deps, attempt, 'put_off');
      await giveBackSlot(deps.db, message.id);
      throw busy(Math.min(putOffMs.atMost, Math.max(putOffMs.atLeast, outcome.retryAfterMs)));
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
  if (met.type === 'sent') {
    const { type: outcome, statusCode, ref } = met;
    return { outcome, ...(statusCode && { statusCode }), ...(ref !== undefined && { ref }) };
  }
  const { reason, detail, statusCode } = met;
  return {
    outcome: 'failed' as const,
    reason,
    ...(detail && { detail }),
    ...(statusCode && { statusCode }),
    ...(met.type === 'unanswered' ? { unanswered: true } : met.permanent && { final: true }),
    ...(met.type === 'refused' && met.blocksContact && { blocksContact: true }),
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

/** The contact that a message goes to; ids are UUIDs. */
const getReceiver = async (sql: Sql, messageId: string): Promise<{ accountId: string; contactId: string }> => {
  const [row] = await sql<[{ accountId: string; contactId: string }]>`
    select account_id, contact_id from messages where id = ${messageId}`;
  return row;
};

/** Records what a slot came to, and counts a message that it ends. */
const record = async (
  { transact, metrics }: LaneDeps,
  { blocksContact = false, ...made }: SlotRecord & { blocksContact?: boolean },
): Promise<Slot> => {
  const { messageId, number, outcome, reason, statusCode } = made;
  const recorded = await recordSlot(transact, made, async (tx) => {
    if (blocksContact) await unsubscribe(tx, await getReceiver(tx.sql, messageId));
  });
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
