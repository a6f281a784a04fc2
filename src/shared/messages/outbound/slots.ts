import type { Outgoing, SendingChannel } from '../channels/kind.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';
import { endOfPause } from './channel-pauses.ts';
import { nobody } from '../../platform/processes/own-process.ts';
import type { OutboundReason } from './types.ts';

/** A lane, and the workflow of it that asks, with the process that has handed it over by its start; ids are UUIDs. */
export type LaneKey = { sendingId: string; resumes: number; from?: string | undefined };

/** The message that has the slot. */
export type Head = {
  /** When the attempt at it has begun, by the database's clock; null when its next attempt is due only in `dueInMs`, also for a pause of its channel. */
  at: Date | null;
  dueInMs: number;
  /** Of these the pause that the channel's service has asked for. */
  pausedForMs: number;
  attemptsMade: number;
  /** How many of its parts have arrived, where its channel sends it in several. */
  partsSent: number;
  /** Whether an attempt had begun before, and nobody knows what it came to. */
  wasCutOff: boolean;
  reason: OutboundReason | null;
  statusCode: number | null;
  contactStatus: 'active' | 'unsubscribed' | 'blocked';
  /** Whether the contact has blocked the channel, and not written there since. */
  hasBlocked: boolean;
  /** Whether the channel was deleted meanwhile. */
  isDeleted: boolean;
  /** How long ago the message was queued, in ms. */
  waitedMs: number;
  /** Its place in the order of everything. */
  seq: number;
  channel: SendingChannel;
  message: Outgoing;
};

/** A message whose attempt has begun. */
export type BegunHead = Head & { at: Date };

type HeadRow = Omit<Head, 'channel' | 'message'> &
  Omit<SendingChannel, 'id'> &
  Omit<Outgoing, 'id'> & { laneId: string; conversationId: string; channelId: string; messageId: string | null };

/** The lease of a lane that an outbox takes, in seconds. `releaseGone` frees those of a process that is gone much sooner. */
export const laneLeaseSeconds = 60;

/** The sweep looks after a lane that nobody has taken after this long, in seconds: longer than a commit, or the start of a workflow, takes. */
export const startGraceSeconds = 15;

type Due = { messageId: string; number: number };

/**
 * Begins the attempt at the oldest queued message of a lane for its workflow, if it is due: by its time, or because the workflow has waited for
 * exactly this attempt (`due`). An attempt that had begun before and is not recorded may have arrived. Answers `over` when an outbox or another
 * workflow has the lane, or it is gone, and `empty` when nothing is queued.
 */
export const takeSlot = async (
  sql: Sql,
  { sendingId, resumes, from }: LaneKey,
  due: Due | undefined,
): Promise<Head | 'over' | 'empty'> => {
  const taken = sql`
    update sendings set sender = null where id = ${sendingId} and resumes = ${resumes}
      and (sender is null or sender = ${nobody} or sender = ${from ?? nobody})`;
  return (await beginSlots(sql, taken, due)).get(sendingId) ?? 'over';
};

/** Lanes, and the process whose outbox asks for them; ids are UUIDs. */
export type LanesOf = { laneIds: readonly string[]; sender: string };

/**
 * Begins the attempts at the oldest queued messages of lanes for an outbox, whose lease of each begins anew. The answer lacks lanes that
 * somebody else has, and those that are locked at the moment.
 */
export const takeSlots = (sql: Sql, { laneIds, sender }: LanesOf): Promise<Map<string, Head | 'empty'>> => {
  const taken = sql`
    update sendings set sender = ${sender}, sweep_at = clock_timestamp() + make_interval(secs => ${laneLeaseSeconds})
    where id = any(array(
        select id from sendings where id = any(${[...laneIds]}::uuid[]) order by id for no key update skip locked))
      and (sender = ${sender} or sender = ${nobody})`;
  return beginSlots(sql, taken, undefined);
};

/** Locks a lane, once nobody else has it locked. Answers whether the outbox of this process, or none, has it. */
export const lockLane = async (sql: Sql, { id, sender }: { id: string; sender: string }): Promise<boolean> => {
  const found = await sql`
    select from sendings where id = ${id} and (sender = ${sender} or sender = ${nobody}) for no key update`;
  return found.count > 0;
};

/**
 * `taken` is the update of `sendings` by which the lanes are taken. This tells an attempt that was cut off also during a pause of its channel, as nobody
 * may take its mark for none. Whoever had one before may have marked its message after this statement's
 * snapshot, so the update of the message says what it was.
 */
const beginSlots = async (sql: Sql, taken: Fragment, due: Due | undefined): Promise<Map<string, Head | 'empty'>> => {
  const rows = await sql<HeadRow[]>`
    with taken as (${taken} returning id, conversation_id, channel_id
    ), head as (
      select t.id as lane_id, c.paused_until, o.*
      from taken t left join channels c on c.id = t.channel_id cross join lateral (
        select message_id, attempts_made, parts_sent, reason, status_code, client_ref, next_attempt_at, queued_at, seq
        from outbound_messages where conversation_id = t.conversation_id and status = 'queued' order by seq limit 1) o
    ), begun as (
      update outbound_messages o
      set attempt_since = clock_timestamp(), unanswered = o.unanswered or o.attempt_since is not null
      from head where o.message_id = head.message_id and o.status = 'queued'
        and (o.next_attempt_at is null or o.next_attempt_at <= clock_timestamp()
          or (o.message_id = ${due?.messageId ?? null} and o.attempts_made = ${(due?.number ?? 0) - 1}))
        and (head.paused_until is null or head.paused_until <= clock_timestamp() or o.attempt_since is not null)
      returning o.message_id, o.attempt_since, o.attempts_made, o.parts_sent, old.attempt_since is not null as was_cut_off
    )
    select t.id as lane_id, t.conversation_id, h.message_id, coalesce(begun.attempts_made, h.attempts_made) as attempts_made,
      coalesce(begun.parts_sent, h.parts_sent) as parts_sent, h.reason, h.status_code, h.client_ref, h.seq::float8 as seq,
      begun.attempt_since as at, coalesce(begun.was_cut_off, false) as was_cut_off,
      coalesce(extract(epoch from greatest(h.next_attempt_at, h.paused_until) - clock_timestamp()) * 1000, 0)::float8 as due_in_ms,
      coalesce(extract(epoch from h.paused_until - clock_timestamp()) * 1000, 0)::float8 as paused_for_ms,
      m.contact_id, m.text, m.content ->> 'image_url' as image_url, coalesce(m.content -> 'quick_replies', '[]') as quick_replies,
      coalesce(m.content -> 'attachments', '[]') as attachments,
      m.sent_at as created_at, k.status as contact_status,
      i.external_id as sender_external_id, coalesce(i.blocked_at is not null, false) as has_blocked,
      c.id as channel_id, c.account_id, c.type, c.callback_url, c.config, c.secret, c.deleted_at is not null as is_deleted,
      extract(epoch from clock_timestamp() - h.queued_at)::float8 * 1000 as waited_ms,
      case when c.previous_secret_until > clock_timestamp() then c.previous_secret end as previous_secret
    from taken t left join head h on h.lane_id = t.id left join begun on begun.message_id = h.message_id
    left join messages m on m.id = h.message_id left join channels c on c.id = m.channel_id left join contacts k on k.id = m.contact_id
    left join lateral (
      select external_id, blocked_at from contact_identities
      where contact_id = m.contact_id and channel_id = m.channel_id order by external_id limit 1
    ) as i on true`;
  return new Map(rows.map((row) => [row.laneId, headOf(row)]));
};

const headOf = (row: HeadRow): Head | 'empty' => {
  if (row.messageId === null) return 'empty';
  const {
    accountId,
    type,
    callbackUrl,
    config,
    secret,
    previousSecret,
    laneId: _,
    channelId,
    messageId,
    ...rest
  } = row;
  const {
    contactId,
    senderExternalId,
    conversationId,
    text,
    imageUrl,
    quickReplies,
    attachments,
    clientRef,
    createdAt,
    ...head
  } = rest;
  const of = {
    contactId,
    senderExternalId,
    conversationId,
    text,
    imageUrl,
    quickReplies,
    attachments,
    clientRef,
    createdAt,
  };
  return {
    ...head,
    dueInMs: Math.ceil(Math.max(0, head.dueInMs)),
    channel: { id: channelId, accountId, type, callbackUrl, config, secret, previousSecret },
    message: { id: messageId, ...of },
  };
};

/**
 * Nothing was sent after all: the attempt that had begun counts for nothing. A later one is left alone, because this may be carried out late. Times are
 * known to the millisecond here.
 */
export const giveBackSlot = async (sql: Sql, { messageId, at }: { messageId: string; at: Date }): Promise<void> => {
  await sql`
    update outbound_messages set attempt_since = null where message_id = ${messageId} and status = 'queued'
      and attempt_since between ${at}::timestamptz - interval '1 ms' and ${at}::timestamptz + interval '1 ms'`;
};

/** Gives back lanes of which nothing is under way, for any process to send at once. An attempt that had begun counts for nothing. */
export const giveBackLanes = async (sql: Sql, lanes: LanesOf): Promise<void> => {
  await leaveLanes(sql, lanes, sql`sweep_at = least(sweep_at, clock_timestamp())`, sql`for no key update`);
};

/**
 * The same of a lane whose workflow was not started: any process sends in 5 s, and twice as late after each further failure, at most a minute; not
 * before `inMs` in any case.
 */
export const putLaneOff = async (
  sql: Sql,
  { laneId, inMs, sender }: { laneId: string; inMs: number; sender: string },
): Promise<void> => {
  const later = sql`
    sweeps = sweeps + 1, sweep_at = clock_timestamp() + greatest(
      ${inMs} * interval '1 ms', least(interval '1 minute', interval '5 seconds' * 2 ^ least(sweeps, 6)))`;
  await leaveLanes(sql, { laneIds: [laneId], sender }, later, sql`for no key update`);
};

/**
 * Gives up lanes of which nothing is under way, for their workflows to take within the grace of a start. Answers those that are given up: it lacks
 * the ones that somebody has locked, or has.
 */
export const handOverLanes = async (sql: Sql, lanes: LanesOf): Promise<Set<string>> => {
  const until = sql`sweep_at = clock_timestamp() + make_interval(secs => ${startGraceSeconds})`;
  const left = await leaveLanes(sql, lanes, until, sql`for no key update skip locked`);
  return new Set(left.map(({ id }) => id));
};

const leaveLanes = (sql: Sql, { laneIds, sender }: LanesOf, until: Fragment, lock: Fragment) => sql<{ id: string }[]>`
  with returned as (
    update sendings set sender = ${nobody}, ${until}
    where id = any(array(select id from sendings where id = any(${[...laneIds]}::uuid[]) order by id ${lock}))
      and (sender = ${sender} or sender = ${nobody})
    returning id, conversation_id, old.sender as former
  ), unmarked as (
    update outbound_messages o set attempt_since = null from returned
    where returned.former = ${sender} and o.conversation_id = returned.conversation_id and o.status = 'queued'
      and o.attempt_since is not null
  )
  select id from returned`;

/** Gives back lanes of which nothing is under way, for any process to send once their channels pause no more. */
export const restLanes = async (sql: Sql, lanes: LanesOf): Promise<void> => {
  await leaveLanes(sql, lanes, sql`sweep_at = ${endOfPause(sql)}`, sql`for no key update`);
};

/** Has the sweep look after lanes at once. */
export const sweepLanesSoon = async (sql: Sql, { laneIds }: Pick<LanesOf, 'laneIds'>): Promise<void> => {
  await sql`
    update sendings set sweep_at = least(sweep_at, clock_timestamp())
    where id = any(array(select id from sendings where id = any(${[...laneIds]}::uuid[]) order by id for no key update))`;
};
