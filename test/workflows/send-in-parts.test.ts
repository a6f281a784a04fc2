import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLadderWorld, type LadderWorld } from '../helpers/ladder-world.ts';
import { readMessage, send, sendingsOf, type Talk } from '../helpers/messages.ts';
import { makeSendingOverdue } from '../helpers/states/sendings.ts';
import { kindsWithTelegram } from '../helpers/telegram/kinds.ts';
import { startTelegram, type TelegramService } from '../helpers/telegram/service.ts';
import { aTelegramTalk, connectBot } from '../helpers/telegram/talks.ts';

let telegram: TelegramService;
let ladder: LadderWorld;

beforeAll(async () => {
  telegram = await startTelegram();
  ladder = await startLadderWorld({ channelKinds: kindsWithTelegram(telegram) });
});
afterAll(async () => {
  await ladder.stop();
  await telegram.close();
});

/** Queues messages while nothing is started, then has their workflow send them; answers what it came to, and their ids. */
const sendAll = async (talk: Talk, ...texts: string[]) => {
  const { world, env } = ladder;
  world.useClient(undefined);
  const ids: string[] = [];
  for (const text of texts) ids.push(await send(world, talk, text));
  await world.dispatcher.drain();
  world.useClient(env.client);
  await makeSendingOverdue(world.db, talk);
  await world.sweep();
  const result = await env.client.workflow.getHandle(sendingsOf(world).at(-1) ?? '').result();
  return { result, ids };
};

test('each part of a message has its own attempts in the workflow, and arrives once and in order', async () => {
  const { world } = ladder;
  const bot = telegram.addBot();
  const channelId = await connectBot(world, bot);
  const talk = await aTelegramTalk(world, bot, { channelId, userId: 1 });
  const parts = ['a', 'b', 'c'].map((letter) => letter.repeat(3_000));
  // Three failures of each part: of one ladder for all, the sixth would be the end.
  let failures = 0;
  telegram.failBy(({ method, parameters: { text } }) => {
    if (method !== 'sendMessage' || text === 'next') return undefined;
    const hasArrived = bot.got.some((got) => got.text === text);
    expect(hasArrived).toBe(false);
    return (failures += 1) % 4 === 0 ? undefined : { type: 'refused', status: 500 };
  });
  const { result, ids } = await sendAll(talk, parts.join('\n'), 'next');
  expect(result).toEqual({ sent: 2, failed: 0, unknown: 0 });
  expect(bot.got.map(({ text }) => text)).toEqual([...parts, 'next']);
  expect(await Promise.all(ids.map(async (id) => (await readMessage(world, id)).status))).toEqual(['sent', 'sent']);
});

test('a pause that Telegram asks a workflow for is kept with the channel, and the message goes out after it', async () => {
  const { world } = ladder;
  const bot = telegram.addBot();
  const channelId = await connectBot(world, bot);
  const talk = await aTelegramTalk(world, bot, { channelId, userId: 2 });
  let calls = 0;
  telegram.failBy(({ method }) =>
    method === 'sendMessage' && (calls += 1) === 1 ? { type: 'refused', status: 429, retryAfter: 0.2 } : undefined,
  );
  const { result } = await sendAll(talk, 'one', 'two');
  expect(result).toEqual({ sent: 2, failed: 0, unknown: 0 });
  expect(bot.got.map(({ text }) => text)).toEqual(['one', 'two']);
  const [channel] = await world.db`select paused_until is not null as was_paused from channels where id = ${channelId}`;
  expect([channel, calls]).toEqual([{ wasPaused: true }, 3]);
});
