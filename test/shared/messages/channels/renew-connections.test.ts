import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { showId } from '../../../../src/shared/ids.ts';
import { deleteChannel } from '../../../../src/shared/messages/channels/manage.ts';
import { startRenewing } from '../../../../src/shared/messages/channels/renew-connections.ts';
import { anAccount } from '../../../helpers/accounts.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../helpers/delivery-world.ts';
import type { Bot } from '../../../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../../../helpers/telegram/kinds.ts';
import { startTelegram, type TelegramService } from '../../../helpers/telegram/service.ts';
import { connectBot } from '../../../helpers/telegram/talks.ts';

describe('a BASE_URL that has changed', () => {
  let telegram: TelegramService;
  let world: DeliveryWorld;
  const config = { baseUrl: 'https://new.example' };

  beforeAll(async () => {
    telegram = await startTelegram();
    world = await startDeliveryWorld({ channelKinds: kindsWithTelegram(telegram) });
  });
  afterAll(async () => {
    await world.stop();
    await telegram.close();
  });
  afterEach(async () => {
    telegram.failBy(() => undefined);
    const channels = await world.db<{ id: string; accountId: string }[]>`
      select id, account_id from channels where type = 'telegram' and deleted_at is null`;
    for (const { id, accountId } of channels) await deleteChannel(world, accountId, id);
  });

  const aBot = async (accountId?: string) => {
    const bot = telegram.addBot();
    const owner = accountId ?? (await anAccount(world)).accountId;
    return { bot, accountId: owner, channelId: await connectBot({ ...world, accountId: owner }, bot) };
  };
  const renewing = (of: Partial<DeliveryWorld> = {}) => {
    const started = startRenewing({ ...world, config, ...of }, { pausesMs: [10] });
    onTestFinished(started.stop);
    return started;
  };
  const newUrl = (channelId: string) => `${config.baseUrl}/telegram/${showId('channel', channelId)}`;
  const setFor = ({ id }: Bot) =>
    telegram.calls().filter(({ bot, method }) => bot.id === id && method === 'setWebhook').length;

  test('reaches Telegram once for each bot, with the secret of its channel', async () => {
    const bots = [await aBot(), await aBot(), await aBot()];
    const secrets = bots.map(({ bot }) => bot.webhook?.secret);
    await renewing().ended;
    expect(bots.map(({ bot }) => bot.webhook?.url)).toEqual(bots.map(({ channelId }) => newUrl(channelId)));
    expect(bots.map(({ bot }) => bot.webhook?.secret)).toEqual(secrets);
    await renewing().ended;
    expect(bots.map(({ bot }) => setFor(bot))).toEqual([2, 2, 2]);
  });

  test('is told again until Telegram answers, and meanwhile to the bots of others', async () => {
    const many = await aBot();
    const others = await Promise.all(Array.from({ length: 20 }, () => aBot(many.accountId)));
    const stranger = await aBot();
    let isAway = true;
    telegram.failBy(({ bot, method }) =>
      isAway && method === 'setWebhook' && bot.id !== stranger.bot.id
        ? { type: 'refused', status: 429, retryAfter: 1 }
        : undefined,
    );
    const { ended } = renewing();
    await vi.waitUntil(() => stranger.bot.webhook?.url === newUrl(stranger.channelId), { timeout: 20_000 });
    await vi.waitUntil(() => setFor(many.bot) > 2, { timeout: 20_000 });
    isAway = false;
    await ended;
    for (const { bot, channelId } of [many, ...others]) expect(bot.webhook?.url).toBe(newUrl(channelId));
    expect(setFor(stranger.bot)).toBe(2);
  });

  test('is not told by a token that Telegram refuses, which holds up nobody', async () => {
    const gone = await aBot();
    const other = await aBot();
    telegram.renewToken(gone.bot);
    await renewing().ended;
    expect(other.bot.webhook?.url).toBe(newUrl(other.channelId));
    expect(gone.bot.webhook?.url).not.toBe(newUrl(gone.channelId));
  });

  test('is told once bots have a webhook again that were polled for in between', async () => {
    const { bot, channelId } = await aBot();
    await renewing().ended;
    const channelKinds = kindsWithTelegram(telegram, 'poll');
    await renewing({ channelKinds }).ended;
    expect(setFor(bot)).toBe(2);
    bot.webhook = undefined;
    await renewing().ended;
    expect(bot.webhook).toMatchObject({ url: newUrl(channelId) });
  });
});
