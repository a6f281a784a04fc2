import type { Sql } from '../../platform/db/connect.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransact, EventTransaction } from '../../facts/tell.ts';
import type { Transact } from '../../platform/dispatch/transact.ts';
import type { FailureDetail } from '../../platform/egress/failure-details.ts';
import { nobody } from '../../platform/processes/own-process.ts';
import { nextRevision } from '../conversations/changes/revisions.ts';
import { delayAfter } from './rule.ts';
import type { LaneKey } from './slots.ts';
import type { EndStatus, OutboundReason, OutboundStatus } from './types.ts';

/** What is to be recorded of a message, a UUID. `part`: a part of it has arrived. `withheld`: it must not be sent any more. */
export type SlotRecord = {
  messageId: string;
  /** The attempt's, from 1. */
  number: number;
  outcome: 'sent' | 'part' | 'failed' | 'withheld';
  /** The place of the part that has arrived, from 0. */
  part?: number | undefined;
  reason?: OutboundReason | undefined;
  detail?: FailureDetail | undefined;
  statusCode?: number | undefined;
  unanswered?: boolean | undefined;
  /** The message was refused for good: no attempt follows. */
  final?: boolean | undefined;
  /** The id that the channel's service has given the message. */
  ref?: string | undefined;
  /** The contact wants nothing over the channel until it writes again. */
  blocksContact?: boolean | undefined;
};

/** What a message is after its slot: ended, and whether others wait; still queued, and when its next attempt is due; or its next part is due. */
export type Recorded =
  | { type: 'ended'; status: EndStatus; more: boolean; changed: boolean }
  | { type: 'wait'; dueInMs: number }
  | { type: 'part' };

/** The sweep looks after a lane whose next attempt is overdue by so many seconds. */
const retryGraceSeconds = 30;

/**
 * Records what a slot came to, and closes the lane with its last message, under the conversation's lock. An attempt that is recorded already changes
 * nothing. A success counts whenever it comes, because the message has arrived. A lane whose message waits for its next attempt is its workflow's
 * from then on, unless another process has it; `sender` is the one that may hand it over.
 */
export const recordSlot = (
  { transact }: { transact: EventTransact },
  record: SlotRecord,
  { sender = nobody }: { sender?: string | undefined } = {},
): Promise<Recorded> =>
  transact(async (tx) => {
    const { sql, tell } = tx;
    const { messageId, blocksContact } = record;
    const { accountId, conversationId } = await lockConversationOf(sql, messageId);
    const row = await readForRecord(sql, messageId);
    if (blocksContact) await noteBlock(tx, { accountId, messageId });
    if (record.outcome === 'part' && row.status === 'queued') {
      if (row.partsSent === record.part) await recordPart(tx, record, { accountId, conversationId });
      return { type: 'part' } as const;
    }
    const { status, delayMs } = decide(row, record);
    const ended = { status, more: true, changed: status !== row.status };
    if (ended.changed || delayMs !== undefined) {
      const revision = await nextRevision(tx, { accountId, conversationId });
      await write(sql, record, { status, delayMs, revision });
      await tell(changed(accountId, 'messages', 'conversations'));
    }
    if (status === 'queued') {
      const dueInMs = delayMs ?? row.dueInMs;
      await sql`
        update sendings set sweeps = 0, sender = null,
          sweep_at = clock_timestamp() + ${dueInMs} * interval '1 ms' + make_interval(secs => ${retryGraceSeconds})
        where conversation_id = ${conversationId} and (sender is null or sender = ${nobody} or sender = ${sender})`;
      return { type: 'wait', dueInMs } as const;
    }
    return { type: 'ended', ...ended, status, more: !(await closeIfDone(sql, conversationId)) } as const;
  });

/** The next part has attempts of its own. */
const recordPart = async (
  tx: EventTransaction,
  { messageId, part = 0 }: SlotRecord,
  conversation: { accountId: string; conversationId: string },
): Promise<void> => {
  const { sql, tell } = tx;
  const revision = await nextRevision(tx, conversation);
  await sql`
    update outbound_messages set parts_sent = ${part + 1}, attempts_made = 0, attempt_since = null, next_attempt_at = null,
      reason = null, detail = null, status_code = null, revision = ${revision}
    where message_id = ${messageId}`;
  await tell(changed(conversation.accountId, 'messages', 'conversations'));
};

/** Closes a lane in which nothing is queued. Answers whether it is closed. */
export const closeLane = (transact: Transact, { sendingId }: Pick<LaneKey, 'sendingId'>): Promise<boolean> =>
  transact(async ({ sql }) => {
    const [sending] = await sql<{ conversationId: string }[]>`
      select conversation_id from sendings where id = ${sendingId}`;
    if (!sending) return true;
    await sql`select from conversations where id = ${sending.conversationId} for no key update`;
    return closeIfDone(sql, sending.conversationId);
  });

/** The contact has blocked the channel, unless it has written there since the attempt began. */
const noteBlock = async (
  { sql, tell }: EventTransaction,
  { accountId, messageId }: { accountId: string; messageId: string },
): Promise<void> => {
  await sql`
    update contact_identities i set blocked_at = clock_timestamp()
    from messages m join outbound_messages o on o.message_id = m.id
    where m.id = ${messageId} and i.channel_id = m.channel_id and i.external_id = (
        select min(external_id) from contact_identities where channel_id = m.channel_id and contact_id = m.contact_id)
      and coalesce(o.attempt_since > (
        select sent_at from messages w where w.conversation_id = m.conversation_id and w.direction = 'inbound' order by id desc limit 1), true)`;
  await tell(changed(accountId, 'contacts'));
};

/** Whoever queues a message, and whoever ends one, locks its conversation: no message is queued in a lane that is being closed. */
const lockConversationOf = async (sql: Sql, messageId: string) => {
  const [row] = await sql<[{ accountId: string; conversationId: string }]>`
    select v.account_id, v.id as conversation_id from messages m join conversations v on v.id = m.conversation_id
    where m.id = ${messageId} for no key update of v`;
  return row;
};

type Present = {
  status: OutboundStatus;
  attemptsMade: number;
  partsSent: number;
  unanswered: boolean;
  /** Whether it is of a flow, no part of it has arrived, and a user's answer waits behind it. */
  isOvertaken: boolean;
  waitedMs: number;
  dueInMs: number;
};

const readForRecord = async (sql: Sql, messageId: string): Promise<Present> => {
  const [row] = await sql<[Present]>`
    select status, attempts_made, parts_sent, unanswered, run_id is not null and parts_sent = 0 and exists (
        select from outbound_messages behind
        where behind.conversation_id = o.conversation_id and behind.status = 'queued' and behind.seq > o.seq and behind.user_id is not null
      ) as is_overtaken,
      (extract(epoch from coalesce(attempt_since, clock_timestamp()) - queued_at) * 1000)::float8 as waited_ms,
      greatest(0, coalesce(extract(epoch from next_attempt_at - clock_timestamp()) * 1000, 0))::float8 as due_in_ms
    from outbound_messages o where message_id = ${messageId} for update of o`;
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
  if (delayMs === undefined) return { status: lost };
  // The agent has taken the conversation over while the attempt was under way.
  if (row.isOvertaken && lost === 'failed') return { status: 'withdrawn' };
  return { status: 'queued', delayMs };
};

const write = async (
  sql: Sql,
  { messageId, number, outcome, reason, detail, statusCode, unanswered = false, ref }: SlotRecord,
  { status, delayMs, revision }: { status: OutboundStatus; delayMs?: number | undefined; revision: number },
): Promise<void> => {
  await sql`
    update outbound_messages set status = ${status}, reason = ${reason ?? null}, detail = ${detail ?? null}, status_code = ${statusCode ?? null},
      attempts_made = ${outcome === 'withheld' ? sql`attempts_made` : sql`greatest(attempts_made, ${number})`},
      attempt_since = null, unanswered = unanswered or ${unanswered}, external_ref = coalesce(${ref ?? null}, external_ref),
      sent_at = ${status === 'sent' ? sql`clock_timestamp()` : null},
      next_attempt_at = clock_timestamp() + ${delayMs ?? null} * interval '1 ms', revision = ${revision}
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
