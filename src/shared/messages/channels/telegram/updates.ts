import { z } from 'zod';
import type { Told } from '../kind.ts';
import { readButtonData } from './buttons.ts';
import { readContent } from './content.ts';

const chat = z.object({ id: z.int(), type: z.string() });

const user = z.object({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  last_name: z.string().optional(),
  language_code: z.string().optional(),
});

const message = z.looseObject({
  message_id: z.int(),
  chat,
  from: user.optional(),
  edit_date: z.int().optional(),
  media_group_id: z.string().min(1).max(100).optional(),
});

/** The tap on a button; of one below a message that is too old there is no message. */
const tap = z.object({ id: z.string().min(1).max(100), from: user, data: z.string().optional() });

const update = z.looseObject({
  update_id: z.int(),
  message: message.optional(),
  edited_message: message.optional(),
  callback_query: tap.optional(),
});

type Message = z.output<typeof message>;

/** The longest text that a message can have here; Telegram's are shorter. */
const textAtMost = 10_000;

/**
 * What an update tells; nothing for what is of no interest: groups, channels, other bots, and what Telegram itself says in a chat. Undefined for what
 * is no update. A message is known by its bot, chat and id: ids of updates begin anew when a bot had none for a week.
 */
export const readUpdate = (botId: string, given: unknown): Told[] | undefined => {
  const { data } = update.safeParse(given);
  if (!data) return undefined;
  if (data.message) return readMessage(botId, data.message);
  if (data.edited_message) return readEdit(botId, data.edited_message);
  return data.callback_query ? readTap(data.callback_query) : [];
};

/** The tap on a button of ours is the choice of a quick reply. The private chat with a user has the user's id. */
const readTap = ({ id, from, data = '' }: z.output<typeof tap>): Told[] => {
  const button = readButtonData(data);
  return button ? [{ type: 'choice', ref: id, ...button, sender: senderOf(from) }] : [];
};

const senderOf = ({ id, first_name, last_name, language_code: language }: z.output<typeof user>) => ({
  external_id: String(id),
  first_name,
  ...(last_name !== undefined && { last_name }),
  ...(language !== undefined && { language }),
});

/** The chat of an update; of one without a chat, what all such have in common. */
export const chatOf = (given: Readonly<Record<string, unknown>>): string => {
  const { data } = update.safeParse(given);
  return String((data?.message ?? data?.edited_message)?.chat.id ?? data?.callback_query?.from.id ?? '');
};

/** Who wrote a message in a private chat, its id, and what it says and has. */
const readPrivate = (botId: string, given: Message) => {
  const { chat: where, from, message_id: id } = given;
  if (where.type !== 'private' || !from || from.is_bot) return undefined;
  const content = readContent(given);
  return (
    content && { from, message_id: `${botId}:${where.id}:${id}`, ...content, text: content.text.slice(0, textAtMost) }
  );
};

const readMessage = (botId: string, given: Message): Told[] => {
  const read = readPrivate(botId, given);
  if (!read) return [];
  const { from, files, ...message } = read;
  const { chat: where, message_id: place, media_group_id: group } = given;
  const album = group === undefined ? undefined : { ref: `${where.id}:${group}`, place };
  return [{ type: 'message', message: { ...message, sender: senderOf(from) }, files, ...(album && { album }) }];
};

/** The text is another, or the caption; files stay as they were. A live location changes every few seconds: the message keeps where it began. */
const readEdit = (botId: string, given: Message): Told[] => {
  const read = readPrivate(botId, given);
  if (!read || given['location'] !== undefined || given.edit_date === undefined) return [];
  const { from, message_id, text } = read;
  return [{ type: 'edit', chat: String(from.id), message: { message_id, text, edited_at: given.edit_date } }];
};
