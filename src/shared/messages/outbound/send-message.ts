import { findSendingChannel } from '../../contacts/sending-channel.ts';
import { lockContact } from '../../contacts/lock-contact.ts';
import { found, invalid, notFound, RequestError } from '../../errors.ts';
import { parseId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { ChannelKind } from '../channels/kind.ts';
import { kindOf, type ChannelKinds } from '../channels/kinds.ts';
import { findChannel } from '../channels/queries.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { useAttachments } from '../../media/use-attachments.ts';
import { awaitVisitor } from '../webchat/awaited.ts';
import { markRead } from '../conversations/mark-read.ts';
import { deleteDraft } from '../drafts/drafts.ts';
import { findMessage, findMessageByRef, isQueueFull } from '../queries.ts';
import { findExcess } from './limits.ts';
import { queueMessages, usedClientRef } from './queue-messages.ts';
import type { MessageRow, NewMessage } from '../schema.ts';

/** The most messages that callers can queue in a conversation whose channel does not take them. */
export const queuedAtMost = 1_000;

type ToContact = { accountId: string; contactId: string };

type ToSend = ToContact & {
  message: NewMessage;
  channelKinds: ChannelKinds;
  userId?: string | undefined;
  /** The revision of the conversation that the user has seen. */
  seen?: number | undefined;
};

/**
 * Queues a message to a contact for a caller. A user who answers has read what came before, up to `seen` where it is given, and has no draft of it any
 * more. The same `client_ref` again is answered with the first message. Throws `not_found`, and `conflict` for a contact that is unsubscribed or blocked, for one without a channel, for a `client_ref`
 * of another contact's message, and for a full queue, and `invalid_request` for more than the channel takes.
 */
export const sendMessage = async (
  tx: EventTransaction,
  { accountId, contactId, message, channelKinds, userId, seen }: ToSend,
): Promise<MessageRow> => {
  const { sql } = tx;
  if (!(await lockContact(sql, { accountId, contactId }))) throw notFound('contact');
  const { text, image_url: imageUrl, quick_replies: quickReplies, client_ref: clientRef, attachments: given } = message;
  const known = clientRef === undefined ? undefined : await findMessageByRef(sql, accountId, clientRef);
  if (known) {
    if (known.contactId === contactId) return known;
    throw usedClientRef(known.id);
  }
  await requireReachable(sql, contactId);
  const channelId = await getChannel(sql, { accountId, contactId }, message.channel_id);
  await requireWithinLimits(sql, { accountId, channelId, channelKinds, message });
  if (await isQueueFull(sql, { contactId, channelId, most: queuedAtMost })) {
    throw new RequestError('conflict', `The conversation already has ${queuedAtMost} queued messages.`);
  }
  const attachments = await useAttachments(sql, accountId, given);
  const queued = await queueMessages(tx, {
    accountId,
    contactId,
    channelId,
    clientRef,
    userId,
    messages: [{ text, imageUrl, quickReplies, attachments }],
  });
  const sent = found('message', queued[0] && (await findMessage(sql, accountId, queued[0].messageId)));
  if (userId !== undefined) {
    await markRead(tx, { accountId, id: sent.conversationId, seen });
    await awaitVisitor(sql, { conversationId: sent.conversationId, messageId: sent.id });
    await deleteDraft(sql, { accountId, userId, conversationId: sent.conversationId, kind: 'reply' });
  }
  return sent;
};

/** Reads the channel only for a message that some kind of channel does not take. */
const requireWithinLimits = async (
  sql: Sql,
  { accountId, channelId, channelKinds, message }: Omit<ToSend, 'contactId'> & { channelId: string },
): Promise<void> => {
  const { text, quick_replies: quickReplies = [], attachments = [] } = message;
  const excessOn = ({ declaration: { limits } }: ChannelKind) =>
    findExcess(limits, { text, quickReplies, attachments });
  if (Object.values(channelKinds).every((kind) => excessOn(kind).length === 0)) return;
  const { type } = found('channel', await findChannel(sql, accountId, channelId));
  const excess = excessOn(kindOf(channelKinds, type));
  if (excess.length > 0) throw invalid(excess);
};

const requireReachable = async (sql: Sql, contactId: string): Promise<void> => {
  const [contact] = await sql<{ status: 'active' | 'unsubscribed' | 'blocked' }[]>`
    select status from contacts where id = ${contactId}`;
  const status = found('contact', contact).status;
  if (status !== 'active') throw new RequestError('conflict', `This contact is ${status}.`);
};

/** The channel that is asked for, or the contact's last one. */
const getChannel = async (sql: Sql, contact: ToContact, asked: string | undefined): Promise<string> => {
  if (asked !== undefined) return found('channel', parseId('channel', asked));
  const last = await findSendingChannel(sql, contact);
  if (last === undefined) throw new RequestError('conflict', 'This contact has no channel yet: give a channel_id.');
  return last;
};
