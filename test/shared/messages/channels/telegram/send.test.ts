import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendMessage } from '../../../../../src/shared/messages/outbound/send-message.ts';
import type { DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { aTalk, readMessage, send, type Talk } from '../../../../helpers/messages.ts';
import { write, type Bot } from '../../../../helpers/telegram/bots.ts';
import type { TelegramService } from '../../../../helpers/telegram/service.ts';
import { aTelegramTalk, takeUpdates } from '../../../../helpers/telegram/talks.ts';
import { startTelegramWorld, type TelegramWorld } from '../../../../helpers/telegram/world.ts';

describe('a message to a contact over Telegram', () => {
  let telegram: TelegramService;
  let world: DeliveryWorld;
  let connectNew: TelegramWorld['connectNew'];
  let bot: Bot;
  let talk: Talk;
  let users = 100;

  beforeAll(async () => {
    const { stop, ...started } = await startTelegramWorld({ sendsMessages: true });
    ({ telegram, world, connectNew } = started);
    return stop;
  });

  beforeEach(async () => {
    let channelId: string;
    ({ bot, channelId } = await connectNew());
    talk = await aTelegramTalk(world, bot, { channelId, userId: (users += 1) });
  });

  const sendOne = (message: { text: string; image_url?: string; quick_replies?: string[] }): Promise<string> =>
    world
      .transact((tx) =>
        sendMessage(tx, {
          accountId: world.accountId,
          contactId: talk.contactId,
          message,
          channelKinds: world.channelKinds,
        }),
      )
      .then(({ id }) => id);
  const ended = async (id: string) => {
    await vi.waitUntil(async () => (await readMessage(world, id)).status !== 'queued', {
      timeout: 30_000,
      interval: 10,
    });
    const { status, reason, statusCode } = await readMessage(world, id);
    return [status, reason, statusCode];
  };

  test('goes to its chat', async () => {
    expect(await ended(await send(world, talk, 'Hello'))).toEqual(['sent', null, 200]);
    expect(bot.got).toMatchObject([{ chatId: users, text: 'Hello', buttons: [] }]);
  });

  test('has its quick replies as buttons, whose data fits into 64 bytes', async () => {
    await ended(await sendOne({ text: 'Which size?', quick_replies: ['S', 'M', 'ß'.repeat(80)] }));
    const [{ buttons } = { buttons: [] }] = bot.got;
    expect(buttons.map(({ text }) => text)).toEqual(['S', 'M', 'ß'.repeat(80)]);
  });

  test('has its image with the text below it', async () => {
    const image_url = 'https://example.com/cat.png';
    await ended(await sendOne({ text: 'My cat', image_url }));
    expect(bot.got).toMatchObject([{ text: 'My cat', photo: image_url }]);
  });

  test('that Telegram refuses is failed at once', async () => {
    telegram.failBy(({ method }) => (method === 'sendMessage' ? { type: 'refused', status: 400 } : undefined));
    expect(await ended(await send(world, talk))).toEqual(['failed', 'status', 400]);
  });

  test('whose answer is lost is unknown, and never sent twice', async () => {
    telegram.failBy(({ method }) => (method === 'sendMessage' ? { type: 'lost' } : undefined));
    expect(await ended(await send(world, talk, 'once'))).toEqual(['unknown', 'reset', null]);
    telegram.failBy(() => undefined);
    expect(await ended(await send(world, talk, 'next'))).toEqual(['sent', null, 200]);
    expect(bot.got.map(({ text }) => text)).toEqual(['once', 'next']);
  });

  test('that a proxy answers for is unknown, because it may have arrived', async () => {
    telegram.failBy(({ method }) => (method === 'sendMessage' ? { type: 'proxy', status: 502 } : undefined));
    expect(await ended(await send(world, talk))).toEqual(['unknown', 'status', 502]);
  });

  test('to a contact that never wrote to the bot is failed unsent, and says so', async () => {
    const stranger = await aTalk(world, talk.channelId);
    expect(await ended(await send(world, stranger))).toEqual(['failed', 'never_wrote', null]);
    expect(telegram.calls().filter((call) => call.bot === bot && call.method === 'sendMessage')).toEqual([]);
  });

  test('to who has blocked the bot is failed, and so are the next ones unsent, until the contact writes again', async () => {
    bot.blockedBy.add(users);
    expect(await ended(await send(world, talk, 'one'))).toEqual(['failed', 'status', 403]);
    expect(await ended(await send(world, talk, 'two'))).toEqual(['failed', 'blocked_by_contact', null]);
    const [contact] = await world.db`select status from contacts where id = ${talk.contactId}`;
    expect(contact).toEqual({ status: 'active' });
    write(bot, users, 'I am back');
    await takeUpdates(world, bot, talk.channelId);
    expect(await ended(await send(world, talk, 'three'))).toEqual(['sent', null, 200]);
    expect(bot.got.map(({ text }) => text)).toEqual(['three']);
  });

  test('is sent to who has blocked the bot and written again, before that was recorded', async () => {
    bot.blockedBy.add(users);
    const back = async () => {
      write(bot, users, 'I am back');
      await takeUpdates(world, bot, talk.channelId);
    };
    telegram.failBy(({ method }) => (method === 'sendMessage' ? { type: 'after', wait: back } : undefined));
    expect(await ended(await send(world, talk, 'one'))).toEqual(['failed', 'status', 403]);
    telegram.failBy(() => undefined);
    expect(await ended(await send(world, talk, 'two'))).toEqual(['sent', null, 200]);
  });
});
