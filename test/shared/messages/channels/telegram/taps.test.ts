import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startDeliveryWorld, type DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { aFlow } from '../../../../helpers/live-flows.ts';
import { tap, write, type Bot, type Got } from '../../../../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../../../../helpers/telegram/kinds.ts';
import { startTelegram, type TelegramService } from '../../../../helpers/telegram/service.ts';
import { connectBot, takeUpdates } from '../../../../helpers/telegram/talks.ts';

describe('a tap on a button in Telegram', () => {
  let telegram: TelegramService;
  let world: DeliveryWorld;
  let bot: Bot;
  let channelId: string;
  let users = 500;

  beforeAll(async () => {
    telegram = await startTelegram();
    const channelKinds = kindsWithTelegram(telegram);
    world = await startDeliveryWorld({ sendsMessages: true, passes: () => true, channelKinds });
    const question = (id: string, choices: string[]) => ({
      id,
      type: 'ask',
      expects: 'choice',
      prompt: `${id}?`,
      choices,
    });
    await aFlow(world.db, world.accountId, {
      triggers: [{ type: 'keyword', words: ['order'] }],
      blocks: [question('size', ['S', 'M']), question('color', ['red', 'S']), question('sure', ['yes', 'no'])],
    });
    await aFlow(world.db, world.accountId, {
      triggers: [{ type: 'keyword', words: ['look'] }],
      blocks: [
        {
          id: 'show',
          type: 'send',
          messages: [{ text: 'Our shoe', image_url: 'https://shop.example/shoe.png', quick_replies: ['fit'] }],
        },
        question('fit', ['slim', 'wide']),
      ],
    });
  });
  afterAll(async () => {
    await world.stop();
    await telegram.close();
  });
  beforeEach(async () => {
    bot = telegram.addBot();
    channelId = await connectBot(world, bot);
    users += 1;
  });

  const take = () => takeUpdates(world, bot, channelId);
  /** The question that the contact is asked now, once it has arrived. */
  const asked = async (text: string): Promise<Got> => {
    const find = () => bot.got.findLast((got) => got.text === text);
    await vi.waitUntil(() => find() !== undefined, { timeout: 30_000, interval: 10 });
    return find() ?? expect.fail(`nobody asked ${text}`);
  };
  const choose = async (got: Got, index: number): Promise<void> => {
    tap(bot, users, got, index);
    await take();
  };
  const written = async () =>
    (
      await world.db<{ text: string }[]>`
        select text from messages where channel_id = ${channelId} and direction = 'inbound' order by seq`
    ).map(({ text }) => text);

  test('answers the question that it belongs to, once, and confirms the tap to Telegram', async () => {
    write(bot, users, 'order');
    await take();
    const size = await asked('size?');
    tap(bot, users, size, 1);
    const [update] = bot.pending;
    await take();
    await asked('color?');
    if (update) bot.pending.push(update);
    await take();
    expect(await written()).toEqual(['order', 'M']);
    await vi.waitUntil(() => bot.taps.answered.length === 1, { timeout: 30_000, interval: 10 });
    expect(bot.taps.waiting.size).toBe(0);
  });

  test('below an old question answers no later one, and confirms the tap to Telegram', async () => {
    write(bot, users, 'order');
    await take();
    const size = await asked('size?');
    await choose(size, 1);
    const color = await asked('color?');
    await choose(size, 0);
    await choose(size, 1);
    expect(await written()).toEqual(['order', 'M']);
    await choose(color, 0);
    await asked('sure?');
    expect(await written()).toEqual(['order', 'M', 'red']);
    await vi.waitUntil(() => bot.taps.waiting.size === 0, { timeout: 30_000, interval: 10 });
  });

  test('answers once when it comes with what the contact writes at the same moment', async () => {
    write(bot, users, 'order');
    await take();
    tap(bot, users, await asked('size?'), 0);
    const [update] = bot.pending.splice(0);
    write(bot, users, 'M');
    const writing = take();
    if (update) bot.pending.push(update);
    await Promise.all([writing, take()]);
    await asked('color?');
    expect(bot.got.some((got) => got.text === 'sure?')).toBe(false);
  });

  test('follows the image of a flow, whose own button answers no question', async () => {
    write(bot, users, 'look');
    await take();
    const shoe = await asked('Our shoe');
    expect(shoe).toMatchObject({ photo: 'https://shop.example/shoe.png', buttons: [{ text: 'fit' }] });
    const fit = await asked('fit?');
    await choose(shoe, 0);
    await choose(fit, 1);
    expect(await written()).toEqual(['look', 'wide']);
  });

  test('is a message like any other while no flow talks to the contact', async () => {
    write(bot, users, 'order');
    await take();
    await choose(await asked('size?'), 0);
    await choose(await asked('color?'), 0);
    const sure = await asked('sure?');
    await choose(sure, 0);
    await choose(sure, 1);
    expect(await written()).toEqual(['order', 'S', 'red', 'yes', 'no']);
  });

  test.for([
    ['of another user', (got: Got) => tap(bot, users + 1_000, got, 0)],
    [
      'with data that is none of ours',
      (got: Got) => tap(bot, users, { ...got, buttons: [{ text: 'x', callback_data: 'x' }] }, 0),
    ],
    ['without data', (got: Got) => tap(bot, users, got, 7)],
  ] as const)('%s says nothing', async ([, make]) => {
    write(bot, users, 'order');
    await take();
    make(await asked('size?'));
    await take();
    expect(await written()).toEqual(['order']);
  });
});
