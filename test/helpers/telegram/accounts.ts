import type { TestAccount, TestApi } from '../api.ts';
import type { Bot } from './bots.ts';
import type { TelegramService } from './service.ts';

/** A new account with a bot that is connected, at a Telegram that answers well. */
export const anAccountWithBot = async (
  api: TestApi,
  telegram: TelegramService,
): Promise<{ account: TestAccount; bot: Bot }> => {
  telegram.failBy(() => undefined);
  const account = await api.createAccount();
  const bot = telegram.addBot();
  const body = { type: 'telegram', name: 'Bot', bot_token: bot.token };
  await api.request('POST', '/v1/channels', { key: account.apiKey, body });
  return { account, bot };
};
