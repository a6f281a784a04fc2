import { z } from 'zod';
import type { Told } from '../kind.ts';
import { sayContent } from './say-content.ts';

const chat = z.object({ id: z.int(), type: z.string() });

const user = z.object({
  id: z.int(),
  is_bot: z.boolean(),
  first_name: z.string(),
  last_name: z.string().optional(),
  language_code: z.string().optional(),
});

const message = z.looseObject({ message_id: z.int(), chat, from: user.optional() });

const update = z.looseObject({
  update_id: z.int(),
  message: message.optional(),
  edited_message: message.optional(),
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
  return data.message ? readMessage(botId, data.message) : [];
};

/** The chat of an update; of one without a chat, what all such have in common. */
export const chatOf = (given: Readonly<Record<string, unknown>>): string => {
  const { data } = update.safeParse(given);
  return String((data?.message ?? data?.edited_message)?.chat.id ?? '');
};

const readMessage = (botId: string, given: Message): Told[] => {
  const { chat: where, from, message_id: id } = given;
  if (where.type !== 'private' || !from || from.is_bot) return [];
  const text = sayContent(given);
  if (text === undefined) return [];
  const { first_name, last_name, language_code: language } = from;
  return [
    {
      type: 'message',
      message: {
        message_id: `${botId}:${where.id}:${id}`,
        sender: {
          external_id: String(where.id),
          first_name,
          ...(last_name !== undefined && { last_name }),
          ...(language !== undefined && { language }),
        },
        text: text.slice(0, textAtMost),
      },
    },
  ];
};
