import type { InlineKeyboardButton } from '@grammyjs/types';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bot, Got } from './bots.ts';

/** What a method answers: its result, or why it did nothing. */
export type Answered = { result: unknown } | { error: number; description: string; retryAfter?: number };

type Parameters = Readonly<Record<string, unknown>>;

const refused = (error: number, description: string): Answered => ({ error, description });

const methods: Readonly<Record<string, (bot: Bot, given: Parameters) => Answered | Promise<Answered>>> = {
  getMe: ({ id, username }) => ({ result: { id, is_bot: true, first_name: `Bot ${id}`, username } }),
  setWebhook: (bot, { url, secret_token: secret = '', max_connections: connections = 40 }) => {
    bot.webhook = { url: String(url), secret: String(secret), connections: Number(connections) };
    bot.wake(
      "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
    );
    return { result: true };
  },
  deleteWebhook: (bot) => {
    bot.webhook = undefined;
    return { result: true };
  },
  getWebhookInfo: ({ webhook, pending }) => ({
    result: { url: webhook?.url ?? '', has_custom_certificate: false, pending_update_count: pending.length },
  }),
  getUpdates: async (bot, { offset = 0, limit = 100, timeout = 0 }) => {
    if (bot.webhook) {
      return refused(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    }
    bot.wake('Conflict: terminated by other getUpdates request; make sure that only one bot instance is running');
    bot.pending = bot.pending.filter(({ update_id }) => update_id >= Number(offset));
    if (bot.pending.length === 0) {
      const woken = Promise.withResolvers<string | undefined>();
      bot.wake = woken.resolve;
      const reason = await Promise.race([woken.promise, wait(Number(timeout) * 1_000, undefined, { ref: false })]);
      if (bot.wake === woken.resolve) bot.wake = () => {};
      if (reason === 'nothing') return { result: [] };
      if (reason !== undefined) return refused(409, reason);
    }
    return { result: bot.pending.slice(0, Number(limit)) };
  },
  sendMessage: (bot, given) => send(bot, { ...given, text: textOf(given['text']) }, 4_096),
  sendPhoto: (bot, given) => send(bot, { ...given, text: textOf(given['caption']) }, 1_024),
  ...Object.fromEntries(
    ['Document', 'Voice', 'Audio', 'Video'].map((kind) => [
      `send${kind}`,
      (bot: Bot, given: Parameters) =>
        send(bot, { ...given, photo: given[kind.toLowerCase()], text: textOf(given['caption']) }, 1_024),
    ]),
  ),
  sendChatAction: () => ({ result: true }),
  answerCallbackQuery: ({ taps }, { callback_query_id: given }) => {
    const id = String(given);
    if (!taps.waiting.delete(id)) {
      return refused(400, 'Bad Request: query is too old and response timeout expired or query ID is invalid');
    }
    taps.answered.push(id);
    return { result: true };
  },
  getFile: ({ files }, { file_id: given }) => {
    const id = String(given);
    if (!files.has(id)) return refused(400, 'Bad Request: wrong file_id or the file is temporarily unavailable');
    return { result: { file_id: id, file_unique_id: id, file_path: `files/${id}` } };
  },
};

/** Calls a method of a bot, as the Bot API does. */
export const call = (bot: Bot, method: string, given: Parameters): Answered | Promise<Answered> =>
  methods[method]?.(bot, given) ?? refused(404, 'Not Found: method not found');

type Keyboard = { inline_keyboard?: InlineKeyboardButton[][] };

const send = (bot: Bot, given: Parameters & { text: string }, atMost: number): Answered => {
  const { text, photo, chat_id, reply_markup, link_preview_options: preview } = given;
  const chatId = Number(chat_id);
  if (!bot.chats.has(chatId)) return refused(400, 'Bad Request: chat not found');
  if (bot.blockedBy.has(chatId)) return refused(403, 'Forbidden: bot was blocked by the user');
  if (photo === undefined && text.trim() === '') return refused(400, 'Bad Request: message text is empty');
  if (text.length > atMost) return refused(400, 'Bad Request: message is too long');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is sent is our own
  const buttons = ((reply_markup as Keyboard | undefined)?.inline_keyboard ?? []).flat();
  if (buttons.some((button) => !('callback_data' in button) || !fits(button.callback_data))) {
    return refused(400, 'Bad Request: BUTTON_DATA_INVALID');
  }
  const messageId = bot.nextMessageId;
  bot.nextMessageId += 1;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  const previewUrl = (preview as { url?: string } | undefined)?.url;
  bot.got.push({ messageId, chatId, text, buttons, ...shownOf(photo), previewUrl });
  return { result: { message_id: messageId, date: 1, chat: { id: chatId, type: 'private' }, text } };
};

/** A photo by its url, or a file that came along. */
const shownOf = (given: unknown): Pick<Got, 'photo' | 'file'> => {
  if (given === undefined) return {};
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is sent is our own
  return typeof given === 'string' ? { photo: given } : { file: given as NonNullable<Got['file']> };
};

const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');

const fits = (data: string): boolean => data.length > 0 && Buffer.byteLength(data) <= 64;
