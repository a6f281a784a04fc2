import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid } from '../../../../../src/shared/ids.ts';
import { startPolling } from '../../../../../src/shared/messages/channels/polling/poll-channels.ts';
import { createInboundStatements } from '../../../../../src/shared/messages/inbound/share-statements.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import type { Arrivals } from '../../../../../src/shared/messages/channels/arrivals/arrivals.ts';
import { arrivalsOf } from '../../../../helpers/arrivals.ts';
import { numbersBy } from '../../../../helpers/seeded-numbers.ts';
import { resetIds, write, type Bot } from '../../../../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../../../../helpers/telegram/kinds.ts';
import { startTelegram, type Fault, type TelegramService } from '../../../../helpers/telegram/service.ts';
import { connectBot } from '../../../../helpers/telegram/talks.ts';
import { tried } from '../../../../helpers/telegram/tried.ts';

const { count, seed } = tried;
const users = 20;

describe(`${count} polled updates of Telegram (TELEGRAM_SEED=${seed})`, () => {
  let telegram: TelegramService;
  let world: DeliveryWorld;
  let bot: Bot;
  let arrivals: Arrivals;

  beforeAll(async () => {
    telegram = await startTelegram();
    world = await startDeliveryWorld({ channelKinds: kindsWithTelegram(telegram, 'poll') });
    bot = telegram.addBot();
  });
  afterAll(async () => {
    await world.stop();
    await telegram.close();
  });

  /** A process that polls, which ends at any moment. It never reports, so that it looks gone, also to itself. */
  const aPoller = () => {
    const processId = newUuid();
    const inbound = createInboundStatements({ db: world.db, forMessages: world.db });
    return startPolling({ ...world, inbound, processId, arrivals }, { lookEveryMs: 10 });
  };

  test(
    'are each taken once and in the order of their chats, whatever comes in between',
    { timeout: 600_000 },
    async () => {
      const channelId = await connectBot(world, bot);
      const number = numbersBy(seed);
      const faults: (() => Fault)[] = [
        () => ({ type: 'lost' }),
        () => ({ type: 'slow', ms: number(30) }),
        () => ({ type: 'refused', status: 429, retryAfter: 0.05 }),
        () => ({ type: 'refused', status: 500 }),
        () => ({ type: 'proxy', status: 502 }),
      ];
      telegram.failBy(({ method }) =>
        method === 'getUpdates' && number(1) < 0.03 ? faults[Math.floor(number(faults.length))]?.() : undefined,
      );
      arrivals = arrivalsOf(world);
      let poller = aPoller();
      onTestFinished(() => poller.stop());
      const written = new Map<number, string[]>();
      for (let made = 0; made < count;) {
        for (const until = Math.min(count, made + 1 + number(100)); made < until; made += 1) {
          const user = 1 + Math.floor(number(users));
          const text = `${user} writes ${made}`;
          written.set(user, [...(written.get(user) ?? []), text]);
          write(bot, user, text);
        }
        const drained = () => bot.pending.length === 0;
        if (number(1) < 0.5) await vi.waitUntil(drained, { timeout: 120_000, interval: 5 });
        if (drained() && !bot.isAskedAgain && number(1) < 0.3) resetIds(bot, Math.floor(number(2_000_000_000)));
        if (number(1) < 0.2) {
          await poller.stop();
          poller = aPoller();
        }
      }
      await vi.waitUntil(() => bot.pending.length === 0, { timeout: 120_000, interval: 5 });
      const rows = await world.db<{ user: string; texts: string[] }[]>`
      select i.external_id as user, array_agg(m.text order by m.seq) as texts
      from messages m join contact_identities i on i.contact_id = m.contact_id
      where m.channel_id = ${channelId} group by i.external_id`;
      expect(new Map(rows.map(({ user, texts }) => [Number(user), texts]))).toEqual(written);
    },
  );
});
