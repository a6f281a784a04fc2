import type { Outgoing, SendingChannel } from '../channels/kind.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransact, EventTransaction } from '../../facts/tell.ts';
import type { Transact } from '../../platform/dispatch/transact.ts';
import type { FailureDetail } from '../../platform/egress/failure-details.ts';
import { delayAfter } from './rule.ts';
import type { Ended, OutboundReason, OutboundStatus } from './types.ts';

/** A lane, and the workflow of it that asks; the id is a UUID. */
export type LaneKey = { sendingId: string; resumes: number };

/** The message that has the slot. */
export type Head = {
  /** When the attempt at it has begun, by the database's clock; null when its next attempt is due only in `dueInMs`. */
  at: Date | null;
  dueInMs: number;
  attemptsMade: number;
  reason: OutboundReason | null;
  statusCode: number | null;
  contactStatus: 'active' | 'unsubscribed' | 'blocked';
  /** Whether the channel was deleted meanwhile. */
  isDeleted: boolean;
  /** How long ago the message was queued, in ms. */
  waitedMs: number;
  channel: SendingChannel;
  message: Outgoing;
};

type HeadRow = Omit<Head, 'channel' | 'message'> &
  Omit<SendingChannel, 'id'> &
  Omit<Outgoing, 'id'> & { conversationId: string; channelId: string; messageId: string | null };

/**
 * Begins the attempt at the oldest queued message of a lane, if it is due: by its time, or because the workflow has waited for
 * exactly this attempt (`due`). An attempt that had begun before and is not recorded may have arrived. Answers `over` when another workflow has
 * the lane, or it is gone, and `empty` when nothing is queued.
 */
export const takeSlot = async (
  sql: Sql,
  { sendingId, resumes }: LaneKey,
  due: { messageId: string; number: number } | undefined,
): Promise<Head | 'over' | 'empty'> => {
  const [row] = await sql<HeadRow[]>`
    with sending as (
      select conversation_id from sendings where id = ${sendingId} and resumes = ${resumes}
    ), head as (
      select o.message_id, o.attempts_made, o.reason, o.status_code, o.client_ref, o.next_attempt_at, o.queued_at,
        o.next_attempt_at is null or o.next_attempt_at <= clock_timestamp()
          or (o.message_id = ${due?.messageId ?? null} and o.attempts_made = ${(due?.number ?? 0) - 1}) as due
      from sending s join outbound_messages o on o.conversation_id = s.conversation_id and o.status = 'queued'
      order by o.seq limit 1
    ), begun as (
      update outbound_messages o
      set attempt_since = clock_timestamp(), unanswered = o.unanswered or o.attempt_since is not null
      from head where head.due and o.message_id = head.message_id and o.status = 'queued'
      returning o.attempt_since
    )
    select s.conversation_id, h.message_id, h.attempts_made, h.reason, h.status_code, h.client_ref, begun.attempt_since as at,
      coalesce(extract(epoch from h.next_attempt_at - clock_timestamp()) * 1000, 0)::float8 as due_in_ms,
      m.contact_id, m.text, m.content ->> 'image_url' as image_url, coalesce(m.content -> 'quick_replies', '[]') as quick_replies,
      m.sent_at as created_at, k.status as contact_status,
      (select i.external_id from contact_identities i
        where i.contact_id = m.contact_id and i.channel_id = m.channel_id order by i.external_id limit 1) as sender_external_id,
      c.id as channel_id, c.account_id, c.type, c.callback_url, c.config, c.secret, c.deleted_at is not null as is_deleted,
      extract(epoch from clock_timestamp() - h.queued_at)::float8 * 1000 as waited_ms,
      case when c.previous_secret_until > clock_timestamp() then c.previous_secret end as previous_secret
    from sending s left join head h on true left join begun on true left join messages m on m.id = h.message_id
    left join channels c on c.id = m.channel_id left join contacts k on k.id = m.contact_id`;
  if (!row) return 'over';
  if (row.messageId === null) return 'empty';
  const { at, dueInMs, attemptsMade, reason, statusCode, contactStatus, isDeleted, waitedMs, ...rest } = row;
  const { accountId, type, callbackUrl, config, secret, previousSecret } = rest;
  const { contactId, senderExternalId, conversationId, text, imageUrl, quickReplies, clientRef, createdAt } = rest;
  return {
    at,
    dueInMs: Math.ceil(Math.max(0, dueInMs)),
    attemptsMade,
    reason,
    statusCode,
    contactStatus,
    isDeleted,
    waitedMs,
    channel: { id: row.channelId, accountId, type, callbackUrl, config, secret, previousSecret },
    message: {
      id: row.messageId,
      contactId,
      senderExternalId,
      conversationId,
      text,
      imageUrl,
      quickReplies,
      clientRef,
      createdAt,
    },
  };
};

/** Nothing was sent after all: the attempt that had begun counts for nothing. */
export const giveBackSlot = async (sql: Sql, messageId: string): Promise<void> => {
  await sql`update outbound_messages set attempt_since = null where message_id = ${messageId} and status = 'queued'`;
};

/** What is to be recorded of a message, a UUID. `withheld`: it must not be sent any more. */
export type SlotRecord = {
  messageId: string;
  /** The attempt's, from 1. */
  number: number;
  outcome: 'sent' | 'failed' | 'withheld';
  reason?: OutboundReason | undefined;
  detail?: FailureDetail | undefined;
  statusCode?: number | undefined;
  unanswered?: boolean | undefined;
  /** The message was refused for good: no attempt follows. */
  final?: boolean | undefined;
  /** The id that the channel's service has given the message. */
  ref?: string | undefined;
};

/** What a message is after its slot: ended, and whether others wait; or still queued, and when its next attempt is due. */
export type Recorded =
  | { type: 'ended'; status: keyof Ended; more: boolean; changed: boolean }
  | { type: 'wait'; dueInMs: number };

/** The sweep looks after a lane whose next attempt is overdue by so many seconds. */
const retryGraceSeconds = 30;

/**
 * Records what a slot came to, and closes the lane with its last message, under the conversation's lock. An attempt that is recorded
 * already changes nothing. A success counts whenever it comes, because the message has arrived. `before` comes first in the transaction: it may
 * lock the contact, whose lock comes before the conversation's.
 */
export const recordSlot = (
  transact: EventTransact,
  record: SlotRecord,
  before: (tx: EventTransaction) => Promise<void> = async () => {},
): Promise<Recorded> =>
  transact(async (tx) => {
    await before(tx);
    const { sql, tell } = tx;
    const { messageId } = record;
    const { accountId, conversationId } = await lockConversationOf(sql, messageId);
    const row = await readForRecord(sql, messageId);
    const { status, delayMs } = decide(row, record);
    const ended = { status, more: true, changed: status !== row.status };
    if (ended.changed || delayMs !== undefined) {
      await write(sql, record, { status, delayMs });
      await tell(changed(accountId, 'messages', 'conversations'));
    }
    if (status === 'queued') {
      const dueInMs = delayMs ?? row.dueInMs;
      await sql`
        update sendings set sweeps = 0,
          sweep_at = clock_timestamp() + ${dueInMs} * interval '1 ms' + make_interval(secs => ${retryGraceSeconds})
        where conversation_id = ${conversationId}`;
      return { type: 'wait', dueInMs } as const;
    }
    return { type: 'ended', ...ended, status, more: !(await closeIfDone(sql, conversationId)) } as const;
  });

/** Closes a lane in which nothing is queued. Answers whether it is closed. */
export const closeLane = (transact: Transact, { sendingId }: LaneKey): Promise<boolean> =>
  transact(async ({ sql }) => {
    const [sending] = await sql<{ conversationId: string }[]>`
      select conversation_id from sendings where id = ${sendingId}`;
    if (!sending) return true;
    await sql`select from conversations where id = ${sending.conversationId} for no key update`;
    return closeIfDone(sql, sending.conversationId);
  });

/** Whoever queues a message, and whoever ends one, locks its conversation: no message is queued in a lane that is being closed. */
const lockConversationOf = async (sql: Sql, messageId: string) => {
  const [row] = await sql<[{ accountId: string; conversationId: string }]>`
    select v.account_id, v.id as conversation_id from messages m join conversations v on v.id = m.conversation_id
    where m.id = ${messageId} for no key update of v`;
  return row;
};

type Present = { status: OutboundStatus; attemptsMade: number; unanswered: boolean; waitedMs: number; dueInMs: number };

const readForRecord = async (sql: Sql, messageId: string): Promise<Present> => {
  const [row] = await sql<[Present]>`
    select status, attempts_made, unanswered,
      (extract(epoch from coalesce(attempt_since, clock_timestamp()) - queued_at) * 1000)::float8 as waited_ms,
      greatest(0, coalesce(extract(epoch from next_attempt_at - clock_timestamp()) * 1000, 0))::float8 as due_in_ms
    from outbound_messages where message_id = ${messageId} for update`;
  return row;
};

/** The status that a message has now, and the delay until its next attempt where this record begins one. */
const decide = (row: Present, record: SlotRecord): { status: OutboundStatus; delayMs?: number | undefined } => {
  if (record.outcome === 'sent') return { status: 'sent' };
  if (row.status !== 'queued') return { status: row.status };
  const lost = row.unanswered || record.unanswered ? 'unknown' : 'failed';
  if (record.outcome === 'withheld') return { status: lost };
  if (row.attemptsMade >= record.number) return { status: 'queued' };
  const delayMs = record.final ? undefined : delayAfter({ number: record.number, waitedMs: row.waitedMs });
  return delayMs === undefined ? { status: lost } : { status: 'queued', delayMs };
};

const write = async (
  sql: Sql,
  { messageId, number, outcome, reason, detail, statusCode, unanswered = false, ref }: SlotRecord,
  { status, delayMs }: { status: OutboundStatus; delayMs?: number | undefined },
): Promise<void> => {
  await sql`
    update outbound_messages set status = ${status}, reason = ${reason ?? null}, detail = ${detail ?? null}, status_code = ${statusCode ?? null},
      attempts_made = ${outcome === 'withheld' ? sql`attempts_made` : sql`greatest(attempts_made, ${number})`},
      attempt_since = null, unanswered = unanswered or ${unanswered}, external_ref = coalesce(${ref ?? null}, external_ref),
      sent_at = ${status === 'sent' ? sql`clock_timestamp()` : null},
      next_attempt_at = clock_timestamp() + ${delayMs ?? null} * interval '1 ms'
    where message_id = ${messageId}`;
};

/** One that stays open has made progress, so the looks of the sweep count anew. */
const closeIfDone = async (sql: Sql, conversationId: string): Promise<boolean> => {
  const { count } = await sql`
    delete from sendings where conversation_id = ${conversationId} and not exists (
      select from outbound_messages o where o.conversation_id = ${conversationId} and o.status = 'queued')`;
  if (count > 0) return true;
  await sql`update sendings set sweeps = 0 where conversation_id = ${conversationId} and sweeps > 0`;
  return false;
};
