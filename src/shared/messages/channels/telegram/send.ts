import { unreachable } from '../../../unreachable.ts';
import type { Outgoing, SendOutcome } from '../kind.ts';
import type { MediaFile } from '../../../media/schema.ts';
import { attachedUrl, type BotAnswer, type CallBot, type Methods } from './bot-api.ts';
import { buttonData } from './buttons.ts';
import { splitText } from './split-text.ts';

/** The most characters of the caption of a photo. */
const captionAtMost = 1_024;

/** How soon a call is made again for which this process had no connection left, in ms. */
const busyAwayMs = 1_000;

type Part =
  | { type: 'text'; text: string; imageUrl: string | null }
  | { type: 'file'; file: MediaFile; caption: string };

/**
 * The messages in Telegram that a message becomes: its files, the text below the last one where that is short enough, else its texts, with the image
 * in the first.
 */
const partsOf = ({ text, imageUrl, attachments }: Outgoing): readonly Part[] => {
  const files = attachments.filter((one): one is MediaFile => 'contentType' in one);
  const hasCaption = files.length > 0 && imageUrl === null && text.length <= captionAtMost;
  const sent = files.map((file, index) => ({
    type: 'file' as const,
    file,
    caption: hasCaption && index === files.length - 1 ? text : '',
  }));
  if (hasCaption) return sent;
  const texts = splitText(text).map((part, index) => ({
    type: 'text' as const,
    text: part,
    imageUrl: index === 0 ? imageUrl : null,
  }));
  return [...sent, ...texts];
};

/** How many messages in Telegram a message becomes. */
export const countParts = (message: Outgoing): number => partsOf(message).length;

type Sending = { message: Outgoing; part: number; readFile: ReadFile };

/** The bytes of a file; undefined where it is not there. */
export type ReadFile = (file: MediaFile) => Promise<Uint8Array | undefined>;

/**
 * Sends a part of a message to its chat, the last one with its buttons. A text that is too long for the caption of its image has the image as a preview
 * above it. Answers `file_missing` for a file that is not there.
 */
export const callToSend = async (
  callBot: CallBot,
  [egress, bot]: [Parameters<CallBot>[0], Parameters<CallBot>[1]],
  chatId: string,
  { message, part, readFile }: Sending,
): Promise<BotAnswer | 'file_missing'> => {
  const parts = partsOf(message);
  const to = { chat_id: chatId, ...(part === parts.length - 1 && keyboardOf(message)) };
  const sent = parts[part];
  if (sent?.type === 'file') {
    const bytes = await readFile(sent.file);
    return bytes ? callBot(egress, bot, callWithFile(to, sent, bytes)) : 'file_missing';
  }
  const { text = '', imageUrl = null } = sent ?? {};
  if (imageUrl === null) return callBot(egress, bot, { method: 'sendMessage', parameters: { ...to, text } });
  if (text.length <= captionAtMost) {
    return callBot(egress, bot, { method: 'sendPhoto', parameters: { ...to, photo: imageUrl, caption: text } });
  }
  const link_preview_options = { url: imageUrl, prefer_large_media: true, show_above_text: true };
  return callBot(egress, bot, { method: 'sendMessage', parameters: { ...to, text, link_preview_options } });
};

type To = Pick<Methods['sendPhoto'], 'chat_id' | 'reply_markup'>;

/** By which method Telegram shows a file best. What it refuses to show goes as a document. */
const callWithFile = (to: To, { file, caption }: Extract<Part, { type: 'file' }>, bytes: Uint8Array) => {
  const { name, contentType } = file;
  const more = { ...to, ...(caption !== '' && { caption }) };
  const sent = { name, contentType, bytes };
  if (isPhoto(file)) return { method: 'sendPhoto', parameters: { ...more, photo: attachedUrl }, file: sent } as const;
  if (contentType === 'audio/ogg') {
    return { method: 'sendVoice', parameters: { ...more, voice: attachedUrl }, file: sent } as const;
  }
  if (contentType === 'audio/mpeg' || contentType === 'audio/mp4') {
    return { method: 'sendAudio', parameters: { ...more, audio: attachedUrl }, file: sent } as const;
  }
  if (contentType === 'video/mp4') {
    return { method: 'sendVideo', parameters: { ...more, video: attachedUrl }, file: sent } as const;
  }
  return { method: 'sendDocument', parameters: { ...more, document: attachedUrl }, file: sent } as const;
};

/** Telegram takes no photo whose sides together have more pixels, nor one that is longer than this times its width. */
const photoAtMost = { sides: 10_000, ratio: 20 } as const;

const isPhoto = ({ contentType, width, height }: MediaFile): boolean =>
  ['image/jpeg', 'image/png', 'image/webp'].includes(contentType) &&
  width !== null &&
  height !== null &&
  width + height <= photoAtMost.sides &&
  Math.max(width, height) <= photoAtMost.ratio * Math.min(width, height);

/** Quick replies are buttons below the message, each in a row of its own. */
const keyboardOf = ({ id, quickReplies }: Outgoing): Pick<Methods['sendMessage'], 'reply_markup'> => {
  if (quickReplies.length === 0) return {};
  const inline_keyboard = quickReplies.map((text, index) => [{ text, callback_data: buttonData(id, index) }]);
  return { reply_markup: { inline_keyboard } };
};

/**
 * What became of a message by what the Bot API answers. 429: the bot is to pause. 403: the contact has blocked the bot, or is gone. 400: no later
 * attempt would fare better. An answer that is none of the Bot API's says nothing of the contact: a 4xx was not sent, and is tried again.
 */
export const judgeSending = (answer: BotAnswer | 'file_missing'): SendOutcome => {
  if (answer === 'file_missing') return { type: 'refused', permanent: true, reason: answer, durationMs: 0 };
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
    case 'turned_away': {
      const { status: statusCode, durationMs } = answer;
      if (statusCode === 429) return { type: 'later', retryAfterMs: busyAwayMs, pausesChannel: true };
      return { type: 'refused', permanent: false, reason: 'status', statusCode, durationMs };
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
