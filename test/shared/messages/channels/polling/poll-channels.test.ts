import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid, showId } from '../../../../../src/shared/ids.ts';
import { deleteChannel } from '../../../../../src/shared/messages/channels/manage.ts';
import { startPolling, type pollBounds } from '../../../../../src/shared/messages/channels/polling/poll-channels.ts';
import { createInboundStatements } from '../../../../../src/shared/messages/inbound/share-statements.ts';
import { parseConfig } from '../../../../../src/shared/platform/config.ts';
import { reportProcess } from '../../../../../src/shared/platform/processes/processes.ts';
import { describeProcess } from '../../../../../src/service/own-process.ts';
import { anAccount } from '../../../../helpers/accounts.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { holdLock } from '../../../../helpers/locks.ts';
import { leaveClaimed } from '../../../../helpers/states/channels.ts';
import { ageProcesses } from '../../../../helpers/states/processes.ts';
import { resetIds, write, type Bot } from '../../../../helpers/telegram/bots.ts';
import { arrivalsOf } from '../../../../helpers/arrivals.ts';
import { kindsWithTelegram } from '../../../../helpers/telegram/kinds.ts';
import { startTelegram, type TelegramService } from '../../../../helpers/telegram/service.ts';
import { connectBot } from '../../../../helpers/telegram/talks.ts';

describe('polling for what contacts write', () => {
  let telegram: TelegramService;
  let world: DeliveryWorld;
  let bot: Bot;
  let accountId: string;

  beforeAll(async () => {
    telegram = await startTelegram();
    world = await startDeliveryWorld({ channelKinds: kindsWithTelegram(telegram, 'poll') });
  });
  afterAll(async () => {
    await world.stop();
    await telegram.close();
  });

  beforeEach(async () => {
    telegram.failBy(() => undefined);
    ({ accountId } = await anAccount(world));
    bot = telegram.addBot();
  });
  // The next test polls for its own channels alone.
  afterEach(async () => {
    const channels = await world.db<{ id: string; accountId: string }[]>`
      select id, account_id from channels where type = 'telegram' and deleted_at is null`;
    for (const channel of channels) await deleteChannel(world, channel.accountId, channel.id);
  });

  const connect = (of: Bot = bot, owner = accountId) => connectBot({ ...world, accountId: owner }, of);
  const aProcess = async (bounds: Partial<typeof pollBounds> = {}, { log = world.log, processId = newUuid() } = {}) => {
    const reported = describeProcess(parseConfig({}), { api: true, queues: [] });
    await reportProcess(world.db, { ...reported, id: processId });
    const inbound = createInboundStatements({ db: world.db, forMessages: world.db });
    const { stop } = startPolling(
      { ...world, log, inbound, processId, arrivals: arrivalsOf(world) },
      { lookEveryMs: 20, ...bounds },
    );
    onTestFinished(stop);
    return { processId, stop };
  };
  const textsOf = async (channelId: string) =>
    (await world.db<{ text: string }[]>`select text from messages where channel_id = ${channelId} order by seq`).map(
      ({ text }) => text,
    );
  const until = (condition: () => boolean | Promise<boolean>) =>
    vi.waitUntil(condition, { timeout: 30_000, interval: 10 });

  test('takes each message once and in its order, and confirms it', async () => {
    const channelId = await connect();
    await aProcess();
    const texts = Array.from({ length: 30 }, (_, index) => `message ${index}`);
    for (const text of texts.slice(0, 15)) write(bot, 1, text);
    await until(async () => (await textsOf(channelId)).length === 15);
    for (const text of texts.slice(15)) write(bot, 1, text);
    await until(() => bot.pending.length === 0);
    expect(await textsOf(channelId)).toEqual(texts);
  });

  test('confirms nothing before it is committed', async () => {
    const channelId = await connect();
    await aProcess();
    write(bot, 1, 'first');
    await until(() => bot.pending.length === 0);
    const held = await holdLock(
      world.db,
      (sql) => sql`select from conversations where channel_id = ${channelId} for update`,
    );
    write(bot, 1, 'second');
    await held.hasStopped('conversations');
    expect(bot.pending).toHaveLength(1);
    expect(await textsOf(channelId)).toEqual(['first']);
    await held.letThrough();
    await until(() => bot.pending.length === 0);
    expect(await textsOf(channelId)).toEqual(['first', 'second']);
  });

  test('loses nothing when ids of updates begin anew below those of before', async () => {
    const channelId = await connect();
    await aProcess();
    write(bot, 1, 'before');
    await until(() => bot.pending.length === 0);
    resetIds(bot, 5);
    write(bot, 1, 'after');
    await until(() => bot.pending.length === 0);
    expect(await textsOf(channelId)).toEqual(['before', 'after']);
  });

  test('records an album as one message, before what its chat says next', async () => {
    const channelId = await connect();
    await aProcess();
    const part = (caption: string) => ({ media_group_id: '7', sticker: {}, caption });
    for (const caption of ['one', 'two', 'three']) write(bot, 1, part(caption));
    write(bot, 1, 'after');
    write(bot, 2, part('of another chat'));
    await until(async () => (await textsOf(channelId)).length === 3);
    const texts = await textsOf(channelId);
    expect(texts.filter((text) => text !== 'of another chat')).toEqual(['one\ntwo\nthree', 'after']);
  });

  test('a file that cannot be had holds up its chat alone, however many updates come behind it', async () => {
    const channelId = await connect();
    let isAway = true;
    telegram.failBy(({ method }) => (isAway && method === 'getFile' ? { type: 'refused', status: 502 } : undefined));
    bot.files.set('bill', Buffer.from('%PDF-1.4 of a shop'));
    for (let user = 1; user <= 60; user += 1) write(bot, user, `before ${user}`);
    for (const user of [1, 2, 3, 4, 5, 6]) {
      write(bot, user, { document: { file_id: 'bill', file_name: 'bill' }, caption: `bill of ${user}` });
      write(bot, user, `after the bill of ${user}`);
    }
    for (let user = 11; user <= 70; user += 1) write(bot, user, `behind ${user}`);
    await aProcess();
    await until(async () => (await textsOf(channelId)).length === 120);
    write(bot, 70, 'and another one');
    await until(async () => (await textsOf(channelId)).includes('and another one'));
    expect((await textsOf(channelId)).filter((text) => text.includes('bill'))).toEqual([]);
    expect(bot.pending[0]).toMatchObject({ message: { chat: { id: 1 }, caption: 'bill of 1' } });
    isAway = false;
    await until(() => bot.pending.length === 0);
    const texts = await textsOf(channelId);
    expect(texts).toHaveLength(133);
    for (const user of [1, 2, 3, 4, 5, 6]) {
      const ofUser = [`before ${user}`, `bill of ${user}`, `after the bill of ${user}`];
      expect(texts.filter((text) => ofUser.includes(text))).toEqual(ofUser);
    }
  });

  test('an update that makes no sense is logged without its content, and holds up nothing', async () => {
    const channelId = await connect();
    const lines: Record<string, unknown>[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    bot.pending.push({ update_id: bot.nextUpdateId, message: { message_id: 'secret' } });
    bot.nextUpdateId += 1;
    write(bot, 1, 'hi');
    await aProcess({}, { log });
    await until(() => bot.pending.length === 0);
    expect(await textsOf(channelId)).toEqual(['hi']);
    const refused = { msg: 'channel.update_refused', channel_id: showId('channel', channelId), update: '1000' };
    expect(lines).toMatchObject([refused]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  test('takes a bot that still has a webhook', async () => {
    const channelId = await connect();
    bot.webhook = { url: 'https://example.com/', secret: '', connections: 40 };
    await aProcess();
    write(bot, 1, 'hi');
    await until(async () => (await textsOf(channelId)).length === 1);
    expect(bot.webhook).toBeUndefined();
  });

  test('goes on after refusals, proxies and lost answers', async () => {
    const channelId = await connect();
    const faults = [
      { type: 'lost' },
      { type: 'refused', status: 429, retryAfter: 0.01 },
      { type: 'refused', status: 429, retryAfter: 0.01 },
    ] as const;
    let asked = 0;
    telegram.failBy(({ method }) => (method === 'getUpdates' ? faults[(asked += 1) - 1] : undefined));
    write(bot, 1, 'hi');
    await aProcess();
    await until(async () => (await textsOf(channelId)).length === 1);
    expect(asked).toBeGreaterThan(3);
  });

  test('is one process’s at a time, and another one’s when that one has stopped reporting', async () => {
    const channelId = await connect();
    const first = await aProcess();
    write(bot, 1, 'one');
    await until(() => bot.pending.length === 0);
    await aProcess();
    const poller = async () =>
      (await world.db<{ poller: string }[]>`select poller from channels where id = ${channelId}`)[0]?.poller;
    expect(await poller()).toBe(first.processId);
    await ageProcesses(world.db, { seconds: 60 });
    await until(async () => (await poller()) !== first.processId);
    write(bot, 1, 'two');
    await until(async () => (await textsOf(channelId)).length === 2);
    expect(await textsOf(channelId)).toEqual(['one', 'two']);
  });

  test('goes on at once with a channel that its process could not give back while PostgreSQL was away', async () => {
    const channelId = await connect();
    const processId = newUuid();
    await leaveClaimed(world.db, channelId, processId);
    write(bot, 1, 'one');
    await aProcess({}, { processId });
    // It goes on reporting.
    await ageProcesses(world.db, { seconds: -60 });
    await until(() => bot.pending.length === 0);
    expect(await textsOf(channelId)).toEqual(['one']);
  });

  test('gives each bot its turn where there are more than a process may poll for at a time', async () => {
    const mine = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const of = telegram.addBot();
        return { of, channelId: await connect(of) };
      }),
    );
    const other = telegram.addBot();
    const { accountId: stranger } = await anAccount(world);
    const theirs = await connect(other, stranger);
    await aProcess({ total: 2, perAccount: 1 });
    for (const text of ['one', 'two']) {
      for (const { of } of mine) write(of, 1, text);
      write(other, 1, text);
      await until(async () => [...mine.map(({ of }) => of), other].every(({ pending }) => pending.length === 0));
    }
    for (const channelId of [...mine.map((one) => one.channelId), theirs])
      expect(await textsOf(channelId)).toEqual(['one', 'two']);
  });

  test('of a bot whose token is refused is put off', async () => {
    const channelId = await connect();
    telegram.renewToken(bot);
    await aProcess();
    const isPutOff = async () =>
      (
        await world.db<{ isLater: boolean }[]>`
          select poller is null and poll_until > clock_timestamp() as is_later from channels where id = ${channelId}`
      )[0]?.isLater === true;
    await until(isPutOff);
    expect(await isPutOff()).toBe(true);
  });

  test('ends when a process stops, which gives its channels back at once', async () => {
    const channelId = await connect();
    const { stop } = await aProcess();
    write(bot, 1, 'one');
    await until(() => bot.pending.length === 0);
    await stop();
    const rows = await world.db`
      select poller, poll_until <= clock_timestamp() as is_free from channels where id = ${channelId}`;
    expect(rows).toEqual([{ poller: null, isFree: true }]);
  });
});
