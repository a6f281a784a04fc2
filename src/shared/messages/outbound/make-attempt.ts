import { SpanKind, type Span } from '@opentelemetry/api';
import { showId } from '../../ids.ts';
import type { Egress } from '../../platform/egress/client.ts';
import { sayFailure } from '../../platform/egress/failure-details.ts';
import type { Logger } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import { currentTraceId, failSpan, inSpan } from '../../platform/telemetry/tracing.ts';
import type { ChannelKind, SendOutcome } from '../channels/kind.ts';
import { kindOf, type ChannelKinds } from '../channels/kinds.ts';
import { hasTarget } from '../channels/stored-config.ts';
import { findExcess } from './limits.ts';
import type { OutboundMetrics } from './metrics.ts';
import type { SlotRecord } from './record-slot.ts';
import type { BegunHead } from './slots.ts';
import type { AttemptAtMessage, OutboundReason } from './types.ts';

export type AttemptMaker = {
  channelKinds: ChannelKinds;
  egress: Egress;
  secrets: Secrets;
  log: Logger;
  metrics: OutboundMetrics;
};

/**
 * What a slot came to, for the caller to record. `later`: nothing was sent, and nothing is held against the channel, which says when to try again, or
 * it was too late to begin.
 */
export type MadeSlot =
  | { type: 'attempted'; record: AttemptAtMessage }
  | { type: 'unsent'; record: SlotRecord }
  | { type: 'later'; retryAfterMs: number | undefined; pausesChannel?: true };

/** How long a message is put off by its channel in all, in ms. */
const putOffForMs = 24 * 60 * 60_000;

/**
 * Makes one attempt at the message that has the slot, or at the next of its parts, or less where it must not be sent; the caller records what that
 * came to. `mayBegin` is asked at the last moment before the exchange. Throws only before that, for our own faults.
 */
export const makeAttempt = async (
  deps: AttemptMaker,
  head: BegunHead,
  mayBegin: () => boolean = () => true,
): Promise<MadeSlot> => {
  const { channel, message, attemptsMade, partsSent: part } = head;
  const kind = kindOf(deps.channelKinds, channel.type);
  const attempt = { messageId: message.id, number: attemptsMade + 1 };
  if (head.wasCutOff && !kind.repeatable) return withhold(deps, attempt);
  const withheld = whyWithheld(head, kind);
  if (withheld) return withhold(deps, attempt, withheld);
  if (!hasTarget(channel)) {
    return { type: 'unsent', record: { messageId: message.id, number: attemptsMade, outcome: 'sent' } };
  }
  const attributes = () => ({
    'parley.message_id': showId('message', message.id),
    'parley.account_id': showId('account', channel.accountId),
    'parley.channel_id': showId('channel', channel.id),
    'parley.number': attempt.number,
  });
  return inSpan('message.attempt', { kind: SpanKind.CLIENT, attributes }, async (span) => {
    if (!mayBegin()) return { type: 'later', retryAfterMs: undefined };
    const outcome = await kind.send(deps, { ...head, part });
    if (outcome.type === 'later') {
      return head.waitedMs > putOffForMs ? withhold(deps, attempt, 'put_off') : outcome;
    }
    tell(deps, span, head, { outcome, number: attempt.number });
    const record = { ...attempt, ...asRecord(outcome, kind) };
    const isLast = part + 1 >= (kind.countParts?.(message) ?? 1);
    return {
      type: 'attempted',
      record: record.outcome === 'sent' && !isLast ? { ...record, outcome: 'part', part } : record,
    };
  });
};

type Attempt = { messageId: string; number: number };

/** Why the message must not be sent, or undefined. */
const whyWithheld = (
  { contactStatus, hasBlocked, isDeleted, message }: BegunHead,
  { declaration: { limits } }: ChannelKind,
): OutboundReason | undefined => {
  if (isDeleted) return 'channel_deleted';
  if (contactStatus !== 'active') return contactStatus;
  if (hasBlocked) return 'blocked_by_contact';
  return findExcess(limits, message).length > 0 ? 'over_limits' : undefined;
};

/** Without a reason: an attempt had begun before, and the message may have arrived. */
const withhold = ({ log }: AttemptMaker, attempt: Attempt, reason?: OutboundReason): MadeSlot => {
  log.info({ message_id: showId('message', attempt.messageId), reason }, 'message.withheld');
  return { type: 'unsent', record: { ...attempt, outcome: 'withheld', reason } };
};

type Tried = Exclude<SendOutcome, { type: 'later' }>;

const asRecord = (met: Tried, { repeatable }: ChannelKind) => {
  if (met.type === 'sent') {
    const { type: outcome, statusCode, ref } = met;
    return { outcome, ...(statusCode && { statusCode }), ...(ref !== undefined && { ref }) };
  }
  const { reason, detail, statusCode } = met;
  const isFinal = met.type === 'unanswered' ? !repeatable : met.permanent;
  return {
    outcome: 'failed' as const,
    reason,
    ...(detail && { detail }),
    ...(statusCode && { statusCode }),
    ...(met.type === 'unanswered' && { unanswered: true }),
    ...(isFinal && { final: true }),
    ...(met.type === 'refused' && met.blocksContact && { blocksContact: true }),
  };
};

const tell = (
  { metrics, log }: AttemptMaker,
  span: Span,
  { channel, message, partsSent }: BegunHead,
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
      part: partsSent || undefined,
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
