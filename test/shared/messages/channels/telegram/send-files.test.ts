import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createMedia } from '../../../../../src/shared/media/media.ts';
import { mediaFolder } from '../../../../../src/shared/media/file-store.ts';
import { sendMessage } from '../../../../../src/shared/messages/outbound/send-message.ts';
import { parseConfig } from '../../../../../src/shared/platform/config.ts';
import { createSecrets } from '../../../../../src/shared/platform/secrets/seal.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { aPicture } from '../../../../helpers/files.ts';
import { readMessage, type Talk } from '../../../../helpers/messages.ts';
import { tempFolder } from '../../../../helpers/temp-folder.ts';
import type { Bot } from '../../../../helpers/telegram/bots.ts';
import { kindsWithTelegram } from '../../../../helpers/telegram/kinds.ts';
import { startTelegram, type TelegramService } from '../../../../helpers/telegram/service.ts';
import { aTelegramTalk, connectBot } from '../../../../helpers/telegram/talks.ts';

const secrets = createSecrets(Buffer.alloc(32, 7));
const dataDir = tempFolder('media');
const { baseUrl, mediaQuota } = parseConfig({});

describe('the files of a message to a contact over Telegram', () => {
  let telegram: TelegramService;
  let world: DeliveryWorld;
  let media: ReturnType<typeof createMedia>;
  let bot: Bot;
  let talk: Talk;
  let users = 100;

  beforeAll(async () => {
    telegram = await startTelegram();
    media = createMedia({ baseUrl, mediaQuota, dataDir }, secrets);
    const channelKinds = kindsWithTelegram(telegram, 'webhook', media.store);
    world = await startDeliveryWorld({ sendsMessages: true, channelKinds, secrets });
  });
  afterAll(async () => {
    await world.stop();
    await media.stop();
    await telegram.close();
  });
  beforeEach(async () => {
    telegram.failBy(() => undefined);
    bot = telegram.addBot();
    const channelId = await connectBot(world, bot);
    talk = await aTelegramTalk(world, bot, { channelId, userId: (users += 1) });
  });

  async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
    yield bytes;
  }
  const aFile = async (name: string, bytes: Buffer): Promise<{ media_id: string }> => {
    const deps = { db: world.db, write: <R>(work: (sql: typeof world.db) => Promise<R>) => work(world.db) };
    const { id } = await media.take(deps, {
      accountId: world.accountId,
      name,
      bytes: bytes.length,
      chunks: only(bytes),
    });
    return { media_id: id };
  };
  const send = async (
    message: { text: string; image_url?: string; quick_replies?: string[] },
    files: { media_id: string }[],
  ) => {
    const asked = { accountId: world.accountId, contactId: talk.contactId, channelKinds: world.channelKinds };
    const { id } = await world.transact((tx) =>
      sendMessage(tx, { ...asked, message: { ...message, attachments: files } }),
    );
    await vi.waitUntil(async () => (await readMessage(world, id)).status !== 'queued', {
      timeout: 30_000,
      interval: 10,
    });
    const { status, reason } = await readMessage(world, id);
    return [status, reason];
  };
  const methods = () =>
    telegram.calls().flatMap((call) => (call.bot === bot && call.method.startsWith('send') ? [call.method] : []));

  test('are uploaded one after the other, each as what it is, with the text and the buttons at the last', async () => {
    const cat = await aPicture('jpeg');
    const bill = Buffer.from('%PDF-1.4 of a shop');
    const files = [await aFile('cat.jpg', cat), await aFile('"bill" ü.pdf', bill)];
    expect(await send({ text: 'Here you are', quick_replies: ['Thanks'] }, files)).toEqual(['sent', null]);
    expect(methods()).toEqual(['sendPhoto', 'sendDocument']);
    expect(bot.got).toMatchObject([
      { text: '', file: { name: 'cat.jpg', type: 'image/jpeg', bytes: cat }, buttons: [] },
      { text: 'Here you are', file: { name: '_bill_ ü.pdf', bytes: bill }, buttons: [{ text: 'Thanks' }] },
    ]);
  });

  test('go before a text that is too long to stand below one', async () => {
    const text = 'word '.repeat(900).trim();
    expect(await send({ text }, [await aFile('bill.pdf', Buffer.from('%PDF-1.4'))])).toEqual(['sent', null]);
    expect(methods()).toEqual(['sendDocument', 'sendMessage', 'sendMessage']);
  });

  test.for([
    ['a voice message', 'talk.ogg', Buffer.from(`OggS${'\0'.repeat(24)}OpusHead and so on`), 'sendVoice'],
    ['a picture that is too narrow', 'line.png', { width: 2_100, height: 10 }, 'sendDocument'],
    ['a moving picture', 'move.gif', 'gif', 'sendDocument'],
    ['anything else', 'data.bin', Buffer.from([1, 2, 3]), 'sendDocument'],
  ] as const)('are sent as %s where one is that', async ([, name, content, method]) => {
    const bytes = Buffer.isBuffer(content)
      ? content
      : typeof content === 'string'
        ? await aPicture(content)
        : await aPicture('png', content);
    expect(await send({ text: '' }, [await aFile(name, bytes)])).toEqual(['sent', null]);
    expect(methods()).toEqual([method]);
  });

  test('have the message fail in words where one is not there any more, and nothing is sent', async () => {
    const file = await aFile('bill.pdf', Buffer.from('%PDF-1.4'));
    await rm(mediaFolder(dataDir), { recursive: true });
    expect(await send({ text: 'Here' }, [file])).toEqual(['failed', 'file_missing']);
    expect(bot.got).toEqual([]);
  });

  test('are sent once where the answer to one is lost', async () => {
    telegram.failBy(({ method }) => (method === 'sendDocument' ? { type: 'lost' } : undefined));
    const files = [await aFile('one.bin', Buffer.from([1])), await aFile('two.bin', Buffer.from([2]))];
    expect(await send({ text: '' }, files)).toEqual(['unknown', 'reset']);
    expect(bot.got.map(({ file }) => file?.name)).toEqual(['one.bin']);
  });
});
