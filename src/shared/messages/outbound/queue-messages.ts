import type { StoredConfig } from '../channels/kind.ts';
import { isFetched } from '../channels/declarations.ts';
import { hasTarget } from '../channels/stored-config.ts';
import { conflictWith, notFound, type RequestError } from '../../errors.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { changed } from '../../facts/changed.ts';
import { talked } from '../../facts/talked.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { adoptHandover } from '../../handovers/adopt.ts';
import type { StoredAttachment } from '../../media/attachments.ts';
import { tellOpened } from '../conversations/changes/revisions.ts';
import { findMessageByRef } from '../queries.ts';
import { laneWork, openLane, type NewLane } from './work.ts';

/** A message to a contact; `step` and `position` say where in a run it comes from. */
type MessageToQueue = {
  text: string;
  imageUrl?: string | undefined;
  quickReplies?: readonly string[] | undefined;
  attachments?: readonly StoredAttachment[] | undefined;
  step?: number;
  position?: number;
};

/** Messages to a contact of the account over a channel of the account; ids are UUIDs. */
export type ToQueue = {
  accountId: string;
  contactId: string;
  channelId: string;
  runId?: string;
  /** The user who has written them. */
  userId?: string | undefined;
  clientRef?: string | undefined;
  messages: readonly MessageToQueue[];
};

/** A message that is queued, and its place in the order of everything; the id is a UUID. */
export type QueuedMessage = { messageId: string; seq: number };

/**
 * Queues messages to a contact in their order, behind those of its conversation that wait, and has them sent. A conversation is opened when none
 * is open. A message of a run's step and position that is there already is answered and stays as it is. On a channel that leads nowhere, or from which
 * the contact fetches its messages, a message is sent at once, unless others wait. The caller has locked the contact. Throws `not_found` when the
 * account has no such channel, and `conflict` when another contact's message has this `clientRef`.
 */
export const queueMessages = async (tx: EventTransaction, toQueue: ToQueue): Promise<QueuedMessage[]> => {
  const { sql } = tx;
  const { accountId, contactId, channelId } = toQueue;
  const [[channel], held] = await Promise.all([
    sql<(Pick<StoredConfig, 'callbackUrl' | 'config'> & { type: string })[]>`
      select type, callback_url, config from channels where id = ${channelId} and account_id = ${accountId} and deleted_at is null`,
    holdOpenConversation(sql, toQueue),
  ]);
  if (!channel) throw notFound('channel');
  const conversationId = held ?? (await openConversation(sql, toQueue));
  const queued = await insertMessages(sql, toQueue, {
    conversationId,
    isSentAtOnce: isFetched(channel.type) ? await hasWritten(sql, toQueue) : !hasTarget(channel),
  });
  if (queued.some(({ isRefused }) => isRefused)) {
    const known = await findMessageByRef(sql, accountId, toQueue.clientRef ?? '');
    throw usedClientRef(known?.id);
  }
  const lane = queued[0]?.lane;
  if (lane) tx.start(laneWork, { ...lane, accountId, contactId, channelId, ofOutbox: true });
  await tx.tell(changed(accountId, 'messages', 'conversations'));
  const revision = queued.find((message) => message.revision !== null)?.revision ?? null;
  if (revision !== null) await tx.tell(talked(accountId, conversationId, revision));
  if (held === undefined) {
    await tellOpened(tx, { accountId, conversationId });
    await adoptHandover(tx, { accountId, conversationId });
  }
  return queued.map(({ messageId, seq }) => ({ messageId, seq }));
};

/** Whether a contact has written over a channel: from there it fetches its messages. */
const hasWritten = async (sql: Sql, { contactId, channelId }: ToQueue): Promise<boolean> => {
  const identities = await sql`
    select from contact_identities where contact_id = ${contactId} and channel_id = ${channelId} limit 1`;
  return identities.count > 0;
};

/** A `client_ref` names one message of the account: this one, a UUID. */
export const usedClientRef = (id: string | undefined): RequestError =>
  conflictWith('A message to another contact has this client_ref.', { noun: 'message', id, key: 'client_ref' });

/** Locks the contact's open conversation on the channel, if there is one. */
const holdOpenConversation = async (sql: Sql, { contactId, channelId }: ToQueue): Promise<string | undefined> => {
  const [found] = await sql<{ id: string }[]>`
    select id from conversations where contact_id = ${contactId} and channel_id = ${channelId} and status = 'open' for no key update`;
  return found?.id;
};

/** Opens one. Whoever opens or closes it at the same time makes another look necessary. */
const openConversation = async (sql: Sql, toQueue: ToQueue): Promise<string> => {
  const { accountId, contactId, channelId } = toQueue;
  for (;;) {
    const [opened] = await sql<{ id: string }[]>`
      insert into conversations (account_id, contact_id, channel_id) values (${accountId}, ${contactId}, ${channelId})
      on conflict (contact_id, channel_id) where status = 'open' do nothing returning id`;
    const id = opened?.id ?? (await holdOpenConversation(sql, toQueue));
    if (id !== undefined) return id;
  }
};

const insertMessages = (
  sql: Sql,
  { accountId, contactId, channelId, messages, ...named }: ToQueue,
  { conversationId, isSentAtOnce }: { conversationId: string; isSentAtOnce: boolean },
) => {
  const { runId = null, clientRef = null, userId = null } = named;
  const asked = messages.map(({ text, imageUrl, quickReplies, attachments, step, position }) => ({
    text,
    content: {
      image_url: imageUrl,
      quick_replies: quickReplies?.length ? quickReplies : undefined,
      attachments: attachments?.length ? attachments : undefined,
    },
    step,
    position,
  }));
  return sql<{ messageId: string; seq: number; isRefused: boolean; revision: number | null; lane: NewLane | null }[]>`
    with asked as materialized (
      select place, a.text, nullif(a.content, '{}') as content, a.step, a.position, o.message_id as known_id, o.seq as known_seq
      from rows from (jsonb_to_recordset(${sql.json(asked)}) as (text text, content jsonb, step int, position int))
        with ordinality as a (text, content, step, position, place)
      left join outbound_messages o on o.run_id = ${runId} and o.run_step = a.step and o.position = a.position
      order by place
    ), fresh as materialized (
      select uuidv7() as id, nextval('messages_seq') as seq, place, text, content, step, position,
        row_number() over (order by place) as number
      from asked where known_id is null
    ), counted as (
      update conversations set revision = revision + (select count(*) from fresh)
      where id = ${conversationId} and exists (select from fresh) returning revision, revision - (select count(*) from fresh) as before
    ), inserted as (
      insert into messages (id, account_id, conversation_id, contact_id, channel_id, direction, text, content, seq, sent_at, revision)
      select id, ${accountId}, ${conversationId}, ${contactId}, ${channelId}, 'outbound', text, content, seq, clock_timestamp(),
        counted.before + number
      from fresh, counted
    ), queued as (
      insert into outbound_messages (message_id, account_id, conversation_id, seq, status, sent_at, client_ref, user_id, run_id, run_step, position)
      select id, ${accountId}, ${conversationId}, seq, now.status, case when now.status = 'sent' then clock_timestamp() end,
        ${clientRef}, ${userId}, ${runId}, step, position
      from fresh, (
        select case when ${isSentAtOnce} and not exists (
          select from outbound_messages o where o.conversation_id = ${conversationId} and o.status = 'queued')
          then 'sent' else 'queued' end as status) as now
      on conflict (account_id, client_ref) where client_ref is not null do nothing
      returning message_id, status, conversation_id
    ), lane as (
      ${openLane(sql, { accountId, contactId, channelId })}
    )
    select coalesce(known_id, fresh.id) as message_id, coalesce(known_seq, fresh.seq)::float8 as seq,
      known_id is null and queued.message_id is null as is_refused, (select revision::float8 from counted) as revision,
      (select lane from lane) as lane
    from asked left join fresh using (place) left join queued on queued.message_id = fresh.id order by place`;
};
