import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createChatTyping } from '../../../../src/shared/messages/outbound/chat-typing.ts';
import { kindOf } from '../../../../src/shared/messages/channels/kinds.ts';
import { receiveTold } from '../../../../src/shared/messages/inbound/receive-told.ts';
import { createInboundStatements } from '../../../../src/shared/messages/inbound/share-statements.ts';
import { pauseChannel } from '../../../../src/shared/messages/outbound/channel-pauses.ts';
import { arrivalsOf } from '../../../helpers/arrivals.ts';
import type { DeliveryWorld } from '../../../helpers/delivery-world.ts';
import { aFlow } from '../../../helpers/live-flows.ts';
import { endPause } from '../../../helpers/states/sendings.ts';
import { write, type Bot } from '../../../helpers/telegram/bots.ts';
import { telegramKindOf } from '../../../helpers/telegram/kinds.ts';
import type { TelegramService } from '../../../helpers/telegram/service.ts';
import { takeUpdates } from '../../../helpers/telegram/talks.ts';
import { startTelegramWorld, type TelegramWorld } from '../../../helpers/telegram/world.ts';

describe('that a flow types is shown in a chat of Telegram', () => {
  let telegram: TelegramService;
  let world: DeliveryWorld;
  let connectNew: TelegramWorld['connectNew'];
  let bot: Bot;
  let channelId: string;
  let user = 700;
  let nowMs = 0;

  beforeAll(async () => {
    const { stop, ...started } = await startTelegramWorld({ passes: () => true });
    ({ telegram, world, connectNew } = started);
    await aFlow(world.db, world.accountId, {
      triggers: [{ type: 'keyword', words: ['order'] }],
      blocks: [
        { id: 'think', type: 'delay', for: 'PT9S' },
        { id: 'say', type: 'send', messages: [{ text: 'Done' }] },
      ],
    });
    return stop;
  });
  beforeEach(async () => {
    ({ bot, channelId } = await connectNew());
    user += 1;
  });

  const shown = () =>
    telegram.calls().filter(({ bot: { id }, method }) => id === bot.id && method === 'sendChatAction');
  /** What shows it, for the chat of the user, who has written this. */
  const aChat = async (text: string) => {
    write(bot, user, text);
    await takeUpdates(world, bot, channelId);
    const typing = createChatTyping(world, { now: () => nowMs });
    // Each look is the test's.
    await typing.stop();
    const channel = { id: channelId, accountId: world.accountId, config: { bot_token: bot.token } };
    const note = () => typing.note(kindOf(world.channelKinds, 'telegram'), channel, [String(user)]);
    note();
    /** A look, with what it shows. */
    const look = async () => {
      await typing.look();
      await typing.stop();
    };
    return { look, note };
  };

  test('while it works, once in five seconds, however much the contact writes', async () => {
    const { look, note } = await aChat('order');
    await look();
    expect(shown()).toHaveLength(1);
    expect(shown()[0]?.parameters).toEqual({ chat_id: String(user), action: 'typing' });
    for (let time = 0; time < 4; time += 1) {
      nowMs += 1_200;
      note();
      await look();
    }
    expect(shown()).toHaveLength(1);
    nowMs += 300;
    await look();
    expect(shown()).toHaveLength(2);
  });

  test('not where no flow works', async () => {
    const { look } = await aChat('hello');
    for (let time = 0; time < 4; time += 1) await look();
    expect(shown()).toEqual([]);
  });

  test('not while the channel is paused', async () => {
    const { look } = await aChat('order');
    await pauseChannel(world.db, channelId, 60_000);
    for (let time = 0; time < 2; time += 1) await look();
    expect(shown()).toEqual([]);
    await endPause(world.db, channelId);
    await look();
    expect(shown()).toHaveLength(1);
  });

  test('not again until Telegram wants it, which pauses no message', async () => {
    telegram.failBy(({ method }) =>
      method === 'sendChatAction' ? { type: 'refused', status: 429, retryAfter: 30 } : undefined,
    );
    const { look } = await aChat('order');
    await look();
    expect(shown()).toHaveLength(1);
    nowMs += 6_000;
    await look();
    expect(shown()).toHaveLength(1);
    nowMs += 25_000;
    await look();
    expect(shown()).toHaveLength(2);
    const [row] = await world.db<
      { pausedUntil: Date | null }[]
    >`select paused_until from channels where id = ${channelId}`;
    expect(row).toEqual({ pausedUntil: null });
  });

  test('once the process has brought in what a contact writes', async () => {
    const { kind, inbound } = telegramKindOf(world.channelKinds);
    const channel = { id: channelId, accountId: world.accountId, config: { bot_token: bot.token } };
    const body = Buffer.from(JSON.stringify(write(bot, user, 'order')));
    const told = inbound.read(channel, { headers: {}, query: new URLSearchParams(), body }) ?? [];
    const deps = { ...world, inbound: createInboundStatements({ db: world.db, forMessages: world.db }) };
    const over = { accountId: world.accountId, channelId };
    await arrivalsOf(world).bring({ kind, channel, told }, (whole) => receiveTold(deps, over, whole));
    await vi.waitFor(() => expect(shown()).toHaveLength(1), { timeout: 20_000, interval: 10 });
  });

  test('at best: what Telegram loses or refuses disturbs nothing', async () => {
    const { look } = await aChat('order');
    telegram.failBy(({ method }) => (method === 'sendChatAction' ? { type: 'lost' } : undefined));
    await look();
    expect(shown()).toHaveLength(1);
    telegram.failBy(({ method }) => (method === 'sendChatAction' ? { type: 'refused', status: 403 } : undefined));
    nowMs += 6_000;
    await look();
    expect(shown()).toHaveLength(2);
  });
});
