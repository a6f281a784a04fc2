import { equalSecrets } from '../../../platform/secrets/tokens.ts';
import { largestOfAll } from '../../../media/limits.ts';
import { keysOf, readHead, type MediaStore } from '../../../media/store.ts';
import { createShares, NoSlot } from '../../../platform/bulkhead/shares.ts';
import type { ChannelKind, PublicInbound } from '../kind.ts';
import { openConfig } from '../stored-config.ts';
import { botIdOf, createCallBot, readJson } from './bot-api.ts';
import { createConnection, secretTokenOf } from './connection.ts';
import { telegramDeclaration } from './declaration.ts';
import { createFetchFile } from './fetch-file.ts';
import { createPoll } from './poll.ts';
import { callToSend, countParts, judgeSending, type ReadFile } from './send.ts';
import { readUpdate } from './updates.ts';

/** What the operator sets: where the Bot API is, as an origin, and how updates come. */
export type TelegramSettings = { apiUrl: string; updates: 'webhook' | 'poll' };

/** The most files that are sent at a time, and over one channel: each is in memory. */
const sendBounds = { total: 4, perKey: 2, patienceMs: 2_000, waitingPerAccount: 20 };

/** When a message is tried again that found too many on their way, in ms. */
const againMs = 1_000;

/** Telegram sends along what it was given with the webhook. */
const secretHeader = 'x-telegram-bot-api-secret-token';

const inbound: PublicInbound = {
  bodyBytes: 1024 * 1024,
  proof: secretHeader,
  proves: (channel, { headers }) => equalSecrets(secretTokenOf(channel), String(headers[secretHeader])),
  read: ({ config }, { body }) => readUpdate(botIdOf(config), readJson(body)),
};

/** Bots of Telegram. Sending is not repeatable: Telegram knows no id of ours. `files` are those that messages have. */
export const createTelegramChannel = (settings: TelegramSettings, files: MediaStore | undefined): ChannelKind => {
  const callBot = createCallBot(settings);
  const slots = createShares(sendBounds);
  return {
    declaration: telegramDeclaration,
    connection: createConnection(callBot, settings),
    inbound,
    ...(settings.updates === 'poll' && { poll: createPoll(callBot) }),
    fetchFile: createFetchFile(callBot, settings),
    acknowledge: async ({ egress }, channel, ref) => {
      await callBot(egress, channel, { method: 'answerCallbackQuery', parameters: { callback_query_id: ref } });
    },
    showTyping: async ({ egress }, channel, chat) => {
      const parameters = { chat_id: chat, action: 'typing' } as const;
      const answer = await callBot(egress, channel, { method: 'sendChatAction', parameters });
      const retryAfterMs = answer.type === 'refused' ? answer.retryAfterMs : undefined;
      return retryAfterMs === undefined ? { type: 'done' } : { type: 'later', retryAfterMs };
    },
    repeatable: false,
    countParts,
    send: async ({ egress, secrets }, { channel, message, part }) => {
      const { accountId, id: rowId } = channel;
      const bot = { accountId, config: openConfig(secrets, { accountId, rowId }, channel) };
      const { senderExternalId: chatId } = message;
      if (chatId === null) return { type: 'refused', permanent: true, reason: 'never_wrote', durationMs: 0 };
      const readFile: ReadFile = async ({ id }) =>
        files && readHead(files, keysOf({ accountId, id }).file, largestOfAll);
      const send = () => callToSend(callBot, [egress, bot], chatId, { message, part, readFile });
      if (message.attachments.length === 0) return judgeSending(await send());
      try {
        return judgeSending(await slots.take({ accountId, key: rowId }, send));
      } catch (error) {
        if (error instanceof NoSlot) return { type: 'later', retryAfterMs: againMs };
        throw error;
      }
    },
  };
};
