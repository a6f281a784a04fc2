import { findSendingChannel } from '../../contacts/sending-channel.ts';
import { lockContact } from '../../contacts/lock-contact.ts';
import { found, notFound, RequestError } from '../../errors.ts';
import { parseId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Transaction } from '../../platform/dispatch/transact.ts';
import { markRead } from '../conversations/mark-read.ts';
import { findMessage, findMessageByRef, isQueueFull } from '../queries.ts';
import { queueMessages, usedClientRef } from './queue-messages.ts';
import type { MessageRow, NewMessage } from '../schema.ts';

/** The most messages that callers can queue in a conversation whose channel does not take them. */
export const queuedAtMost = 1_000;

type ToContact = { accountId: string; contactId: string };

/**
 * Queues a message to a contact for a caller; an agent who answers has read what came before. The same `client_ref` again is answered with the
 * first message. Throws `not_found`, and `conflict` for a contact that is unsubscribed or blocked, for one without a channel, for a `client_ref`
 * of another contact's message, and for a full queue.
 */
export const sendMessage = async (
  tx: Transaction,
  { accountId, contactId, message, isByAgent = false }: ToContact & { message: NewMessage; isByAgent?: boolean },
): Promise<MessageRow> => {
  const { sql } = tx;
  if (!(await lockContact(sql, { accountId, contactId }))) throw notFound('contact');
  const { text, image_url: imageUrl, quick_replies: quickReplies, client_ref: clientRef } = message;
  const known = clientRef === undefined ? undefined : await findMessageByRef(sql, accountId, clientRef);
  if (known) {
    if (known.contactId === contactId) return known;
    throw usedClientRef(known.id);
  }
  await requireReachable(sql, contactId);
  const channelId = await getChannel(sql, { accountId, contactId }, message.channel_id);
  if (await isQueueFull(sql, { contactId, channelId, most: queuedAtMost })) {
    throw new RequestError(
      'conflict',
      `The conversation has ${queuedAtMost} messages that its channel has not taken yet.`,
    );
  }
  const queued = await queueMessages(tx, {
    accountId,
    contactId,
    channelId,
    clientRef,
    messages: [{ text, imageUrl, quickReplies }],
  });
  const sent = found('message', queued[0] && (await findMessage(sql, accountId, queued[0].messageId)));
  if (isByAgent) await markRead(sql, { accountId, id: sent.conversationId });
  return sent;
};

const requireReachable = async (sql: Sql, contactId: string): Promise<void> => {
  const [contact] = await sql<{ status: 'active' | 'unsubscribed' | 'blocked' }[]>`
    select status from contacts where id = ${contactId}`;
  const status = found('contact', contact).status;
  if (status !== 'active') throw new RequestError('conflict', `This contact is ${status}.`);
};

/** The channel that is asked for, which is checked when the message is queued, or the contact's last one. */
const getChannel = async (sql: Sql, contact: ToContact, asked: string | undefined): Promise<string> => {
  if (asked !== undefined) return found('channel', parseId('channel', asked));
  const last = await findSendingChannel(sql, contact);
  if (last === undefined) throw new RequestError('conflict', 'This contact has no channel yet: give a channel_id.');
  return last;
};
