import { lockContact } from '../../contacts/lock-contact.ts';
import { found, RequestError } from '../../errors.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { silenceFlows } from '../../handovers/silence.ts';
import type { LinkTo } from '../../media/schema.ts';
import { showId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { ChannelKinds } from '../channels/kinds.ts';
import { assign } from '../conversations/assign.ts';
import { closeConversation } from '../conversations/close.ts';
import { snooze } from '../conversations/snooze.ts';
import { findMessage, findMessageByRef } from '../queries.ts';
import { showMessage, type MessageRow, type NewReply } from '../schema.ts';
import { AnsweredMeanwhile } from './answered-meanwhile.ts';
import { usedClientRef } from './queue-messages.ts';
import { sendMessage } from './send-message.ts';
import { withdrawOfFlows } from './withdraw.ts';

type Replying = {
  accountId: string;
  conversationId: string;
  reply: NewReply;
  channelKinds: ChannelKinds;
  linkTo: LinkTo;
  /** The user who answers; undefined for an API key. Ids are UUIDs. */
  userId?: string | undefined;
};

type Talk = { contactId: string; channelId: string; status: 'open' | 'closed'; assignedTo: string | null };

/**
 * Answers in a conversation. A user who answers takes it: they look after it unless somebody does, flows are silent until it is handed back, and
 * what flows have queued there is withdrawn. A conversation whose contact has written since `seen_revision` is neither closed nor snoozed. The same
 * `client_ref` again is answered with the first message, and does nothing else. Throws `answered_meanwhile` where another user has answered since
 * `seen_revision`, `conflict` for a closed conversation, and as `sendMessage`.
 */
export const reply = async (tx: EventTransaction, replying: Replying): Promise<MessageRow> => {
  const { sql } = tx;
  const { accountId, conversationId, channelKinds, userId } = replying;
  const { seen_revision: seen, next: asked, ...message } = replying.reply;
  const { contactId } = found('conversation', await findTalk(sql, replying));
  await lockContact(sql, { accountId, contactId });
  const known = await findMessageByRef(sql, accountId, message.client_ref);
  if (known && known.contactId !== contactId) throw usedClientRef(known.id);
  if (known) return known;
  const { status, channelId, assignedTo } = found('conversation', await holdTalk(sql, replying));
  if (status === 'closed') throw new RequestError('conflict', 'This conversation is closed. Reopen it first.');
  if (seen !== undefined) await requireUnanswered(sql, { ...replying, seen });
  const isUnseen = asked !== undefined && seen !== undefined && (await hasWritten(sql, { conversationId, seen }));
  const next = isUnseen ? undefined : asked;
  if (userId !== undefined) await withdrawOfFlows(tx, { accountId, conversationId });
  const given = { ...message, channel_id: showId('channel', channelId) };
  const sent = await sendMessage(tx, { accountId, contactId, message: given, channelKinds, userId, seen });
  if (userId !== undefined) {
    if (assignedTo === null) await assign(tx, { accountId, id: conversationId, userId, byUserId: userId });
    if (next !== 'close') await silenceFlows(tx, { accountId, contactId, conversationId, byUserId: userId });
  }
  await follow(tx, { ...replying, next });
  return sent;
};

const follow = async (
  tx: EventTransaction,
  { accountId, conversationId: id, userId: byUserId, next }: Replying & Pick<NewReply, 'next'>,
): Promise<void> => {
  if (next === 'close') await closeConversation(tx, { accountId, id, byUserId });
  else await snooze(tx, { accountId, id, byUserId, until: next?.snooze_until ?? null });
};

const findTalk = async (sql: Sql, { accountId, conversationId }: Replying): Promise<Talk | undefined> => {
  const [talk] = await sql<Talk[]>`
    select contact_id, channel_id, status, assigned_to from conversations where id = ${conversationId} and account_id = ${accountId}`;
  return talk;
};

/** Whoever answers in the conversation waits for the one before: each sees what the other has written. */
const holdTalk = async (sql: Sql, talk: Replying): Promise<Talk | undefined> => {
  await sql`select from conversations where id = ${talk.conversationId} for no key update`;
  return findTalk(sql, talk);
};

/** Whether the contact has written since a revision, or changed what it wrote. */
const hasWritten = async (
  sql: Sql,
  { conversationId, seen }: { conversationId: string; seen: number },
): Promise<boolean> => {
  const written = await sql`
    select from messages where conversation_id = ${conversationId} and revision > ${seen} and direction = 'inbound' limit 1`;
  return written.count > 0;
};

const requireUnanswered = async (
  sql: Sql,
  { accountId, conversationId, userId, seen, linkTo }: Replying & { seen: number },
): Promise<void> => {
  const [answer] = await sql<{ id: string }[]>`
    select m.id from messages m join outbound_messages o on o.message_id = m.id
    where m.conversation_id = ${conversationId} and m.revision > ${seen} and o.user_id is not null and o.user_id is distinct from ${userId ?? null}::uuid
    order by m.revision desc limit 1`;
  if (!answer) return;
  const message = found('message', await findMessage(sql, accountId, answer.id));
  throw new AnsweredMeanwhile(showMessage(message, linkTo));
};
