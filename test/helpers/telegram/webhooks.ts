import { request } from 'undici';
import type { Bot, Update } from './bots.ts';

/** Hands one update in at a bot's webhook, as Telegram does. Answers the status. */
export const handIn = async ({ webhook }: Bot, update: Update): Promise<number> => {
  if (!webhook) throw new Error('the bot has no webhook');
  const { statusCode, body } = await request(webhook.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': webhook.secret },
    body: JSON.stringify(update),
  });
  await body.dump();
  return statusCode;
};

/** Hands in every pending update in its order, and forgets it once it is taken. */
export const handInAll = async (bot: Bot): Promise<void> => {
  for (let update = bot.pending[0]; update; update = bot.pending[0]) {
    const status = await handIn(bot, update);
    if (status >= 300) throw new Error(`the webhook answered ${status}`);
    bot.pending.shift();
  }
};
