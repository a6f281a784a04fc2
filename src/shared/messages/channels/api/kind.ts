import { showId } from '../../../ids.ts';
import type { Exchange } from '../../../platform/egress/client.ts';
import { postSigned } from '../../../signing/signed-post.ts';
import { openWithPrevious } from '../../../signing/secrets.ts';
import type { CallbackBody } from '../schema.ts';
import type { ChannelKind, Outgoing, SendingChannel, SendOutcome } from '../kind.ts';

/**
 * Messages go out as signed POSTs to the channel's callback url. Every 2xx is a success. What is wrong with a message itself is refused for good;
 * 401, 403 and 404 are not, because a bad deploy of the receiver looks so.
 */
export const apiChannel: ChannelKind = {
  permanentRefusals: new Set([400, 410, 413, 415, 422]),
  hasTarget: ({ callbackUrl }) => callbackUrl !== null,
  send: async ({ egress, secrets }, { channel, message, at }) => {
    const { accountId, callbackUrl: url, secret: sealed, previousSecret: previous } = channel;
    if (url === null || sealed === null) throw new TypeError('a channel without a url or secret sends nothing');
    const signing = openWithPrevious(secrets, { accountId, rowId: channel.id }, { sealed, previous });
    const body = Buffer.from(JSON.stringify(bodyOf(channel, message)));
    const content = { id: showId('message', message.id), body, at };
    const { exchange } = await postSigned(egress, { accountId, url, ...signing }, content);
    return judge(exchange);
  },
};

/** Made of what never changes, so that every attempt sends the same bytes. */
const bodyOf = (channel: SendingChannel, message: Outgoing): CallbackBody => {
  const id = showId('message', message.id);
  return {
    id,
    event: 'message',
    channel: { id: showId('channel', channel.id), type: channel.type },
    contact: { id: showId('contact', message.contactId), sender_external_id: message.senderExternalId },
    conversation: { id: showId('conversation', message.conversationId) },
    message: {
      id,
      text: message.text,
      image_url: message.imageUrl,
      quick_replies: [...message.quickReplies],
      client_ref: message.clientRef,
      created_at: message.createdAt.toISOString(),
    },
  };
};

const judge = (exchange: Exchange): SendOutcome => {
  if (exchange.type === 'busy') return { type: 'busy' };
  const durationMs = Math.round(exchange.durationMs);
  if (exchange.type === 'failed') {
    const { reason, detail, requestSent: unanswered } = exchange;
    return { type: 'failed', reason, ...(detail && { detail }), unanswered, durationMs };
  }
  const { status: statusCode } = exchange;
  return statusCode >= 200 && statusCode <= 299
    ? { type: 'sent', statusCode, durationMs }
    : { type: 'failed', reason: 'status', statusCode, unanswered: false, durationMs };
};
