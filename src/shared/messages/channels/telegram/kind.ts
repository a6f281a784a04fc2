import { equalSecrets } from '../../../platform/secrets/tokens.ts';
import type { ChannelKind, PublicInbound } from '../kind.ts';
import { openConfig } from '../stored-config.ts';
import { botIdOf, createCallBot, readJson } from './bot-api.ts';
import { createConnection, secretTokenOf } from './connection.ts';
import { telegramDeclaration } from './declaration.ts';
import { createFetchFile } from './fetch-file.ts';
import { createPoll } from './poll.ts';
import { callToSend, countParts, judgeSending } from './send.ts';
import { readUpdate } from './updates.ts';

/** What the operator sets: where the Bot API is, as an origin, and how updates come. */
export type TelegramSettings = { apiUrl: string; updates: 'webhook' | 'poll' };

const inbound: PublicInbound = {
  bodyBytes: 1024 * 1024,
  proves: (channel, { headers }) =>
    equalSecrets(secretTokenOf(channel), String(headers['x-telegram-bot-api-secret-token'])),
  read: ({ config }, { body }) => readUpdate(botIdOf(config), readJson(body)),
};

/** Bots of Telegram. Sending is not repeatable: Telegram knows no id of ours. */
export const createTelegramChannel = (settings: TelegramSettings): ChannelKind => {
  const callBot = createCallBot(settings);
  return {
    declaration: telegramDeclaration,
    connection: createConnection(callBot, settings),
    inbound,
    ...(settings.updates === 'poll' && { poll: createPoll(callBot) }),
    fetchFile: createFetchFile(callBot, settings),
    acknowledge: async ({ egress }, channel, ref) => {
      await callBot(egress, channel, { method: 'answerCallbackQuery', parameters: { callback_query_id: ref } });
    },
    repeatable: false,
    countParts,
    send: async ({ egress, secrets }, { channel, message, part }) => {
      const { accountId, id: rowId } = channel;
      const bot = { accountId, config: openConfig(secrets, { accountId, rowId }, channel) };
      const { senderExternalId: chatId } = message;
      if (chatId === null) return { type: 'refused', permanent: true, reason: 'never_wrote', durationMs: 0 };
      return judgeSending(await callToSend(callBot, [egress, bot], chatId, { message, part }));
    },
  };
};
