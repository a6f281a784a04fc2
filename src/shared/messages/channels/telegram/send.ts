import { unreachable } from '../../../unreachable.ts';
import type { Outgoing, SendOutcome } from '../kind.ts';
import type { BotAnswer, CallBot, Methods } from './bot-api.ts';
import { buttonData } from './buttons.ts';
import { splitText } from './split-text.ts';

/** The most characters of the caption of a photo. */
const captionAtMost = 1_024;

/** How soon a call is made again for which this process had no connection left, in ms. */
const busyAwayMs = 1_000;

/** How many messages in Telegram a message becomes. */
export const countParts = ({ text }: Outgoing): number => splitText(text).length;

/**
 * Sends a part of a message to its chat, the first one with its image, and the last one with its buttons. A text that is too long for the caption of
 * its image has the image as a preview above it.
 */
export const callToSend = (
  callBot: CallBot,
  [egress, bot]: [Parameters<CallBot>[0], Parameters<CallBot>[1]],
  chatId: string,
  { message, part }: { message: Outgoing; part: number },
): Promise<BotAnswer> => {
  const { imageUrl } = message;
  const parts = splitText(message.text);
  const text = parts[part] ?? '';
  const to = { chat_id: chatId, ...(part === parts.length - 1 && keyboardOf(message)) };
  if (imageUrl === null || part > 0) {
    return callBot(egress, bot, { method: 'sendMessage', parameters: { ...to, text } });
  }
  if (text.length <= captionAtMost) {
    return callBot(egress, bot, { method: 'sendPhoto', parameters: { ...to, photo: imageUrl, caption: text } });
  }
  const link_preview_options = { url: imageUrl, prefer_large_media: true, show_above_text: true };
  return callBot(egress, bot, { method: 'sendMessage', parameters: { ...to, text, link_preview_options } });
};

/** Quick replies are buttons below the message, each in a row of its own. */
const keyboardOf = ({ id, quickReplies }: Outgoing): Pick<Methods['sendMessage'], 'reply_markup'> => {
  if (quickReplies.length === 0) return {};
  const inline_keyboard = quickReplies.map((text, index) => [{ text, callback_data: buttonData(id, index) }]);
  return { reply_markup: { inline_keyboard } };
};

/**
 * What became of a message by what the Bot API answers. 429: the bot is to pause. 403: the contact has blocked the bot, or is gone. 400: no later
 * attempt would fare better. An answer that is none of the Bot API's tells nothing.
 */
export const judgeSending = (answer: BotAnswer): SendOutcome => {
  switch (answer.type) {
    case 'done': {
      const { status: statusCode, durationMs } = answer;
      return { type: 'sent', statusCode, durationMs };
    }
    case 'busy':
      return { type: 'later', retryAfterMs: busyAwayMs };
    case 'failed': {
      const { reason, detail, requestSent, durationMs } = answer;
      const met = { reason, ...(detail && { detail }), durationMs: Math.round(durationMs) };
      return requestSent ? { type: 'unanswered', ...met } : { type: 'refused', permanent: false, ...met };
    }
    case 'unclear': {
      const { status: statusCode, durationMs } = answer;
      return { type: 'unanswered', reason: 'status', statusCode, durationMs };
    }
    case 'refused': {
      const { status: statusCode, durationMs, retryAfterMs } = answer;
      if (statusCode === 429) {
        return { type: 'later', retryAfterMs: retryAfterMs ?? busyAwayMs, pausesChannel: true };
      }
      const blocksContact = statusCode === 403;
      const permanent = blocksContact || statusCode === 400;
      return { type: 'refused', permanent, blocksContact, reason: 'status', statusCode, durationMs };
    }
    default:
      return unreachable(answer);
  }
};
