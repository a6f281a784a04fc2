import { showId } from '../../../ids.ts';
import type { Exchange } from '../../../platform/egress/client.ts';
import { postSigned } from '../../../signing/signed-post.ts';
import { openWithPrevious } from '../../../signing/secrets.ts';
import { tellAttachment } from '../../../media/attachments.ts';
import type { CallbackBody } from './callback.ts';
import { apiChecks, storeApiConfig } from './config.ts';
import { apiDeclaration } from './declaration.ts';
import type { ChannelKind, Outgoing, SendingChannel, SendOutcome } from '../kind.ts';

/** The statuses that refuse a message for good. 401, 403 and 404 do not, because a bad deploy of the receiver answers so. */
const permanentRefusals: ReadonlySet<number> = new Set([400, 410, 413, 415, 422]);

/** The delay until an attempt is made again for which this process had no look-up or connection left, in ms. */
const busyAwayMs = 1_000;

/** Messages go out as signed POSTs to the channel's callback url. Every 2xx is a success. */
export const apiChannel: ChannelKind = {
  declaration: apiDeclaration,
  checks: apiChecks,
  store: storeApiConfig,
  repeatable: true,
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
      ...(message.attachments.length > 0 && { attachments: message.attachments.map(tellAttachment) }),
      client_ref: message.clientRef,
      created_at: message.createdAt.toISOString(),
    },
  };
};

const judge = (exchange: Exchange): SendOutcome => {
  if (exchange.type === 'busy') return { type: 'later', retryAfterMs: busyAwayMs };
  const durationMs = Math.round(exchange.durationMs);
  if (exchange.type === 'failed') {
    const { reason, detail, requestSent } = exchange;
    const met = { reason, ...(detail && { detail }), durationMs };
    return requestSent ? { type: 'unanswered', ...met } : { type: 'refused', permanent: false, ...met };
  }
  const { status: statusCode } = exchange;
  if (statusCode >= 200 && statusCode <= 299) return { type: 'sent', statusCode, durationMs };
  return { type: 'refused', permanent: permanentRefusals.has(statusCode), reason: 'status', statusCode, durationMs };
};
