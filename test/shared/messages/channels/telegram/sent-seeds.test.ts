import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startLadderWorld, type LadderWorld } from '../../../../helpers/ladder-world.ts';
import { send, sendingsOf, type Talk } from '../../../../helpers/messages.ts';
import { numbersBy } from '../../../../helpers/seeded-numbers.ts';
import { makeSendingOverdue } from '../../../../helpers/states/sendings.ts';
import { write, type Bot } from '../../../../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../../../../helpers/telegram/kinds.ts';
import { startTelegram, type Fault, type TelegramService } from '../../../../helpers/telegram/service.ts';
import { aTelegramTalk, connectBot, takeUpdates } from '../../../../helpers/telegram/talks.ts';
import { tried } from '../../../../helpers/telegram/tried.ts';

const { count, seed } = tried;
const users = 20;

describe(`${count} messages over Telegram (TELEGRAM_SEED=${seed})`, () => {
  let telegram: TelegramService;
  let ladder: LadderWorld;
  let bot: Bot;

  beforeAll(async () => {
    telegram = await startTelegram();
    ladder = await startLadderWorld({ channelKinds: kindsWithTelegram(telegram) });
    bot = telegram.addBot();
  });
  afterAll(async () => {
    await ladder.stop();
    await telegram.close();
  });

  test('arrive once and in the order of their chats, or are said to have failed', { timeout: 600_000 }, async () => {
    const { world, env } = ladder;
    const { db } = world;
    const channelId = await connectBot(world, bot);
    const number = numbersBy(seed);
    const talks: (Talk & { user: number })[] = [];
    for (let user = 1; user <= users; user += 1)
      talks.push({ ...(await aTelegramTalk(world, bot, { channelId, userId: user })), user });
    const faults: (() => Fault)[] = [
      () => ({ type: 'lost' }),
      () => ({ type: 'slow', ms: number(30) }),
      () => ({ type: 'refused', status: 429, retryAfter: 0.02 }),
      () => ({ type: 'refused', status: 500 }),
      () => ({ type: 'refused', status: 400, description: 'Bad Request: chat not found' }),
      () => ({ type: 'proxy', status: 502 }),
    ];
    telegram.failBy(({ method }) =>
      method.startsWith('send') && number() < 0.15 ? faults[Math.floor(number(faults.length))]?.() : undefined,
    );
    const queued = new Map<string, { user: number; text: string }>();
    for (let made = 0; made < count;) {
      for (const until = Math.min(count, made + 1 + number(100)); made < until; made += 1) {
        const { user, ...talk } = talks[Math.floor(number(users))] ?? { user: 0, contactId: '', channelId };
        const text = `${made} to ${user}`;
        queued.set(await send(world, talk, text), { user, text });
      }
      // Somebody blocks the bot, and somebody writes to it again.
      if (number() < 0.3) bot.blockedBy.add(1 + Math.floor(number(users)));
      if (number() < 0.3) {
        write(bot, 1 + Math.floor(number(users)), 'I am back');
        await takeUpdates(world, bot, channelId);
      }
      for (const talk of talks) await makeSendingOverdue(db, talk);
      await world.sweep();
    }
    const isOver = async () => {
      for (const workflowId of new Set(sendingsOf(world)))
        await env.client.workflow
          .getHandle(workflowId)
          .result()
          .catch(() => undefined);
      const [left] = await db<{ left: boolean }[]>`
        select exists (select from outbound_messages where status = 'queued') as left`;
      if (left?.left) {
        for (const talk of talks) await makeSendingOverdue(db, talk);
        await world.sweep();
      }
      return left?.left === false;
    };
    await vi.waitUntil(isOver, { timeout: 500_000, interval: 20 });

    const rows = await db<{ messageId: string; status: string }[]>`
      select o.message_id, o.status from outbound_messages o join messages m on m.id = o.message_id order by m.seq`;
    expect(rows).toHaveLength(count);
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent', 'failed', 'unknown']));
    for (const { user } of talks) {
      const got = bot.got.filter(({ chatId }) => chatId === user).map(({ text }) => text);
      const told = rows.filter(({ messageId }) => queued.get(messageId)?.user === user);
      const textsOf = (...statuses: string[]) =>
        told.flatMap(({ messageId, status }) => (statuses.includes(status) ? [queued.get(messageId)?.text] : []));
      const perhaps = new Set(textsOf('unknown'));
      expect(got).toEqual(
        textsOf('sent', 'unknown').filter((text) => !perhaps.has(text) || got.includes(String(text))),
      );
    }
  });
});
