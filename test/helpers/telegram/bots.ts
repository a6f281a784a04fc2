import { randomBytes } from 'node:crypto';
import type { InlineKeyboardButton } from '@grammyjs/types';

/** An update as it is handed in. Tests also make what Telegram would never send. */
export type Update = { update_id: number; message?: object; edited_message?: object; callback_query?: object };

/** What a contact has got from a bot. */
export type Got = {
  /** A file that was sent along. */
  file?: { name: string; type: string; bytes: Buffer };
  messageId: number;
  chatId: number;
  text: string;
  photo?: string;
  buttons: InlineKeyboardButton[];
  previewUrl?: string | undefined;
};

type Webhook = { url: string; secret: string; connections: number };

/** A bot as Telegram keeps it. */
export type Bot = {
  id: number;
  token: string;
  username: string;
  /** Updates that nobody has confirmed, in their order. */
  pending: Update[];
  nextUpdateId: number;
  nextMessageId: number;
  webhook: Webhook | undefined;
  /** Users that have written to the bot. */
  chats: Set<number>;
  blockedBy: Set<number>;
  got: Got[];
  /** Files of messages, by their ids. */
  files: Map<string, Buffer>;
  /** Taps that wait for an answer, and those that have one. */
  taps: { waiting: Set<string>; answered: string[] };
  /** Whether the latest answer to who asks for updates was lost: the same ones are asked for again. */
  isAskedAgain: boolean;
  /** Wakes who waits for updates; with a reason it is thrown out. */
  wake: (reason?: string) => void;
};

let bots = 0;

export const createBot = (token?: string): Bot => {
  bots += 1;
  const id = token === undefined ? 7_000_000 + bots : Number(token.split(':')[0]);
  return {
    id,
    token: token ?? `${id}:${randomBytes(24).toString('base64url')}`,
    username: `parley_${id}_bot`,
    pending: [],
    nextUpdateId: 1_000,
    nextMessageId: 1,
    webhook: undefined,
    chats: new Set(),
    blockedBy: new Set(),
    got: [],
    files: new Map(),
    taps: { waiting: new Set(), answered: [] },
    isAskedAgain: false,
    wake: () => {},
  };
};

const userOf = (id: number) => ({ id, is_bot: false, first_name: `User ${id}`, language_code: 'en' });

const push = (bot: Bot, update: Omit<Update, 'update_id'>): Update => {
  const whole: Update = { update_id: bot.nextUpdateId, ...update };
  bot.nextUpdateId += 1;
  bot.pending.push(whole);
  bot.wake();
  return whole;
};

/** A message of a user, in whose chat `changes` puts what is not a plain text. */
const messageOf = (bot: Bot, userId: number, content: object) => {
  const message_id = bot.nextMessageId;
  bot.nextMessageId += 1;
  const chat = { id: userId, type: 'private' as const, first_name: `User ${userId}` };
  return { message_id, date: 1_790_000_000 + message_id, chat, from: userOf(userId), ...content };
};

/** A user writes to a bot, and is unblocked by that. */
export const write = (bot: Bot, userId: number, content: string | object): Update & { messageId: number } => {
  bot.chats.add(userId);
  bot.blockedBy.delete(userId);
  const message = messageOf(bot, userId, typeof content === 'string' ? { text: content } : content);
  return { ...push(bot, { message }), messageId: message.message_id };
};

/** A user changes a message, at a time in seconds. */
export const edit = (
  bot: Bot,
  userId: number,
  { messageId, at, ...content }: { messageId: number; at: number; [field: string]: unknown },
): Update =>
  push(bot, {
    edited_message: { ...messageOf(bot, userId, content), message_id: messageId, edit_date: at },
  });

/** A user taps a button below a message that the bot has sent. */
export const tap = (bot: Bot, userId: number, { messageId, buttons }: Got, index: number): Update => {
  const button = buttons[index];
  const data = button && 'callback_data' in button ? button.callback_data : undefined;
  const id = randomBytes(8).toString('hex');
  bot.taps.waiting.add(id);
  const message = { message_id: messageId, date: 1, chat: { id: userId, type: 'private', first_name: 'User' } };
  const callback_query = { id, from: userOf(userId), chat_instance: '1', message, data };
  return push(bot, { callback_query });
};

/** Ids of updates begin anew somewhere, as after a week without any: nobody asks by an id of before any more. */
export const resetIds = (bot: Bot, next: number): void => {
  if (bot.pending.length > 0 || bot.isAskedAgain) throw new Error('ids begin anew only after a week without updates');
  bot.wake('nothing');
  bot.nextUpdateId = next;
};
