import { z } from 'zod';
import { messageLimits } from '../../../flows/blocks/message-limits.ts';
import type { ChannelDeclaration } from '../declaration.ts';

/** A Telegram bot: contacts write to it in private chats. */
export const telegramDeclaration = {
  summary: 'messages come from and go to the private chats of a Telegram bot',
  config: z.object({
    bot_token: z
      .string()
      .trim()
      .max(200)
      .regex(/^\d{1,20}:[\w-]{20,100}$/, 'must look like 123456789:AbC…, as @BotFather shows it')
      .meta({
        description: 'The token of the bot, from @BotFather; never returned. A bot has one channel.',
        writeOnly: true,
      }),
  }),
  told: z.object({
    bot_username: z.string().meta({ description: "The bot's name in links: https://t.me/<bot_username>." }),
    bot_name: z.string().meta({ description: 'The name that contacts see.' }),
  }),
  limits: messageLimits,
} satisfies ChannelDeclaration;
