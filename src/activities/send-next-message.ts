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
import type { SendingMetrics } from '../shared/messages/outbound/metrics.ts';
import {
  beginTurn,
  closeSending,
  forgoTurn,
  recordTurn,
  type Head,
  type SendingKey,
  type TurnRecord,
} from '../shared/messages/outbound/turns.ts';
import type { NextTurn, SendMessages, Turn, TurnOutcome } from '../shared/messages/outbound/types.ts';

export type SendingDeps = {
  db: Database;
  transact: Transact;
  egress: Egress;
  secrets: Secrets;
  log: Logger;
  metrics: SendingMetrics;
};

/** How long the database may take before the exchange, and again after it, in ms, as for the attempt of a delivery. */
const bookkeepingMs = 2_000;

/** The delay until an attempt is made again for which this process had no look-up or connection left, in ms. */
const busyAwayMs = 1_000;

/**
 * Gives the oldest queued message of a conversation its turn: one attempt, or less where it is not due or must not be sent. An attempt that
 * is recorded is not made again. One that was sent and not recorded, because of a crash in between, is sent again with the same id. Throws only
 * before the attempt, for our own faults.
 */
export const sendNextMessage =
  (deps: SendingDeps) =>
  async ({ sendingId, resumes }: SendMessages, { due, unrecorded }: NextTurn = {}): Promise<Turn> => {
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

/** The message whose turn it is. A sending whose queue is empty is closed, unless a message is queued at the same moment. */
const nextHead = async (
  { db, transact }: SendingDeps,
  key: SendingKey,
  due: { messageId: string; number: number } | undefined,
): Promise<Head | 'over'> => {
  for (;;) {
    const head = await withDeadline(bookkeepingMs, 'reading what to send', () => beginTurn(db, key, due));
    if (head !== 'empty') return head;
    if (await closeSending(transact, key)) return 'over';
  }
};

const lastOutcome = ({ message, attemptsMade, reason, statusCode }: Head): TurnOutcome => ({
  messageId: showId('message', message.id),
  attemptsMade,
  ...(reason && { reason }),
  ...(statusCode !== null && { statusCode }),
});

type Begun = Head & { at: Date };

const send = async (deps: SendingDeps, head: Begun, attempt: { messageId: string; number: number }): Promise<Turn> => {
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
    if (outcome.type === 'busy') {
      // Nothing was sent, because this process is congested: nothing is recorded against the channel.
      await forgoTurn(deps.db, message.id);
      throw busy(busyAwayMs);
    }
    tell(deps, span, head, { outcome, number: attempt.number });
    const { type, durationMs: _, ...met } = outcome;
    const final = met.statusCode !== undefined && kind.permanentRefusals.has(met.statusCode);
    const made = { ...attempt, outcome: type, ...met, ...(final && { final }) };
    try {
      return await withDeadline(bookkeepingMs, 'recording the outcome', () => record(deps, made));
    } catch (error) {
      // It was sent. To throw would send it again, so the workflow has the outcome recorded.
      deps.log.error({ err: error, message_id: showId('message', message.id) }, 'message.attempted_unrecorded');
      return { type: 'unrecorded', attempt: { ...made, messageId: showId('message', message.id) } };
    }
  });
};

const tell = (
  { metrics, log }: SendingDeps,
  span: Span,
  { channel, message }: Begun,
  { outcome, number }: { outcome: Exclude<SendOutcome, { type: 'busy' }>; number: number },
): void => {
  const reason = outcome.type === 'failed' ? outcome.reason : undefined;
  const detail = outcome.type === 'failed' ? outcome.detail : undefined;
  metrics.messageAttempted(outcome.type, reason);
  span.setAttributes({ 'parley.outcome': outcome.type, 'http.response.status_code': outcome.statusCode });
  if (outcome.type === 'failed') failSpan(span, outcome.reason);
  log.info(
    {
      message_id: showId('message', message.id),
      account_id: showId('account', channel.accountId),
      channel_id: showId('channel', channel.id),
      number,
      outcome: outcome.type,
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

/** Records a turn, and counts a message that it ends. */
const record = async ({ transact, metrics }: SendingDeps, made: TurnRecord): Promise<Turn> => {
  const { messageId, number, outcome, reason, statusCode } = made;
  const recorded = await recordTurn(transact, made);
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
