import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { Connection, OpenChannel, Refusal } from '../kind.ts';
import { botIdOf, tokenOf, type BotAnswer, type CallBot } from './bot-api.ts';

/** The updates that are asked for. */
export const updatesAskedFor = ['message', 'edited_message', 'callback_query'] as const;

/**
 * What Telegram sends with each update, so that nobody else can hand one in. It is made of the token, which only the channel and Telegram know, and of
 * the channel's id; so it changes with the token, and is stored nowhere.
 */
export const secretTokenOf = ({ id, config }: Pick<OpenChannel, 'id' | 'config'>): string =>
  createHmac('sha256', tokenOf(config)).update(`webhook ${id}`).digest('base64url');

const me = z.object({ id: z.int(), is_bot: z.literal(true), first_name: z.string(), username: z.string() });

/** A bot is connected by `setWebhook`; where updates are polled for, by deleting the webhook that it may have. */
export const createConnection = (callBot: CallBot, { updates }: { updates: 'webhook' | 'poll' }): Connection => ({
  isSentTo: updates === 'webhook',
  identify: async ({ egress }, { accountId, config, connectedTo = null }) => {
    const answer = await callBot(egress, { accountId, config }, { method: 'getMe', parameters: {} });
    if (answer.type !== 'done') return refusalOf(answer);
    const { id, first_name, username } = me.parse(answer.result);
    if (connectedTo !== null && connectedTo !== String(id)) {
      return refused(`is the token of another bot, @${username}: create a channel for it`);
    }
    return { type: 'known', ref: String(id), told: { bot_username: username, bot_name: first_name } };
  },
  connect: async ({ egress }, { channel, url }) => {
    const answer =
      updates === 'poll'
        ? await callBot(egress, channel, { method: 'deleteWebhook', parameters: {} })
        : await callBot(egress, channel, {
            method: 'setWebhook',
            parameters: { url, secret_token: secretTokenOf(channel), allowed_updates: [...updatesAskedFor] },
          });
    return answer.type === 'done' ? { type: 'connected' } : refusalOf(answer);
  },
  disconnect: async ({ egress }, channel) => {
    const answer = await callBot(egress, channel, { method: 'deleteWebhook', parameters: {} });
    if (answer.type !== 'done') throw new Error(`the webhook of bot ${botIdOf(channel.config)} was not deleted`);
  },
});

const refused = (message: string): Refusal => ({ type: 'refused', problems: [{ path: 'bot_token', message }] });

/** Telegram answers 401 or 404 to a token that is none, or was revoked. */
const refusalOf = (answer: Exclude<BotAnswer, { type: 'done' }>): Refusal => {
  if (answer.type !== 'refused' || answer.status === 429 || answer.status >= 500) return { type: 'unreachable' };
  if (answer.status === 401 || answer.status === 404) {
    return refused('is refused by Telegram: copy the present token from @BotFather');
  }
  return refused(`is refused by Telegram: ${answer.description.slice(0, 200)}`);
};
