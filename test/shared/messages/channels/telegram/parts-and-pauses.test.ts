import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sendMessage } from '../../../../../src/shared/messages/outbound/send-message.ts';
import { withdrawOfFlows } from '../../../../../src/shared/messages/outbound/withdraw.ts';
import type { DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { readMessage, send, sendingsOf, type Talk } from '../../../../helpers/messages.ts';
import { endPause, makeItOfFlow, makeSendingOverdue, markAttempt } from '../../../../helpers/states/sendings.ts';
import type { Bot } from '../../../../helpers/telegram/bots.ts';
import type { Fault, TelegramService } from '../../../../helpers/telegram/service.ts';
import { aTelegramTalk, connectBot } from '../../../../helpers/telegram/talks.ts';
import { startTelegramWorld, type TelegramWorld } from '../../../../helpers/telegram/world.ts';

const one = '1'.repeat(4_000);
const two = '2'.repeat(4_000);
const three = '3'.repeat(1_900);
const arrived = [one, two, three];
const long = arrived.join(' ');
const soon = { timeout: 30_000, interval: 10 };

describe('messages over Telegram', () => {
  let telegram: TelegramService;
  let world: DeliveryWorld;
  let connectNew: TelegramWorld['connectNew'];
  let bot: Bot;
  let talk: Talk;
  let users = 900;

  beforeAll(async () => {
    const { stop, ...started } = await startTelegramWorld({ sendsMessages: true });
    ({ telegram, world, connectNew } = started);
    return stop;
  });
  beforeEach(async () => {
    let channelId: string;
    ({ bot, channelId } = await connectNew());
    talk = await anotherTalk(channelId);
  });

  const anotherTalk = (channelId: string) => aTelegramTalk(world, bot, { channelId, userId: (users += 1) });
  /** What happens to the calls that send something, by their numbers from 1 on. */
  const failSending = (decide: (number: number) => Fault | undefined): void => {
    let number = 0;
    telegram.failBy(({ method }) => (method.startsWith('send') ? decide((number += 1)) : undefined));
  };
  const callsToSend = () =>
    telegram.calls().filter((call) => call.bot === bot && call.method.startsWith('send')).length;
  const texts = () => bot.got.map(({ text }) => text);
  const statusOf = async (id: string) => (await readMessage(world, id)).status;
  const ended = async (id: string) => {
    await vi.waitUntil(async () => (await statusOf(id)) !== 'queued', soon);
    const { status, reason } = await readMessage(world, id);
    return [status, reason];
  };
  /** Waits until so many lanes of the channel rest for longer than any sweep or lease takes. One that was put off for want of a workflow counts as swept. */
  const resting = async (count: number): Promise<void> => {
    await vi.waitUntil(async () => {
      const rows = await world.db`
        select from sendings where channel_id = ${talk.channelId} and sweep_at > clock_timestamp() + interval '5 minutes'
          and sender is not null and sweeps = 0`;
      return rows.count === count;
    }, soon);
  };
  /** The sweep goes on with the lane. */
  const goOn = async (of: Talk = talk): Promise<void> => {
    await makeSendingOverdue(world.db, of);
    await world.sweep();
  };
  const sendWhole = async (message: { text: string; image_url?: string; quick_replies?: string[] }) => {
    const asked = { accountId: world.accountId, contactId: talk.contactId, message, channelKinds: world.channelKinds };
    return (await world.transact((tx) => sendMessage(tx, asked))).id;
  };
  const pause = { type: 'refused', status: 429, retryAfter: 600 } as const;

  test('that are longer than 4,096 characters arrive in parts, the image first and the buttons last', async () => {
    const image_url = 'https://example.com/cat.png';
    expect(await ended(await sendWhole({ text: long, image_url, quick_replies: ['S', 'M'] }))).toEqual(['sent', null]);
    expect(await ended(await send(world, talk, 'next'))).toEqual(['sent', null]);
    expect(texts()).toEqual([...arrived, 'next']);
    expect(bot.got.map(({ previewUrl, buttons }) => [previewUrl, buttons.length])).toEqual([
      [image_url, 0],
      [undefined, 0],
      [undefined, 2],
      [undefined, 0],
    ]);
    const [row] = await world.db`
      select parts_sent, attempts_made from outbound_messages order by seq desc offset 1 limit 1`;
    expect(row).toEqual({ partsSent: 2, attemptsMade: 1 });
  });

  test('are unknown when the answer to a part is lost, and no part is sent again', async () => {
    failSending((number) => (number === 2 ? { type: 'lost' } : undefined));
    expect(await ended(await send(world, talk, long))).toEqual(['unknown', 'reset']);
    expect(await ended(await send(world, talk, 'next'))).toEqual(['sent', null]);
    expect(texts()).toEqual([one, two, 'next']);
  });

  test('are unknown when a process dies while it sends a part, and no part is sent again', async () => {
    failSending((number) => (number === 2 ? pause : undefined));
    const id = await send(world, talk, long);
    await resting(1);
    // Another process begins the attempt, sends it perhaps, and is gone; the channel still pauses.
    await markAttempt(world.db, id);
    await goOn();
    expect(await ended(id)).toEqual(['unknown', null]);
    expect([callsToSend(), texts()]).toEqual([2, [one]]);
  });

  test('go on with the part that was put off, and are not withdrawn when an agent answers meanwhile', async () => {
    failSending((number) => (number === 2 ? pause : undefined));
    const id = await send(world, talk, long);
    await resting(1);
    const { conversationId } = await readMessage(world, id);
    await makeItOfFlow(world.db, id);
    await world.transact((tx) => withdrawOfFlows(tx, { accountId: world.accountId, conversationId }));
    expect(await statusOf(id)).toBe('queued');
    await endPause(world.db, talk.channelId);
    await goOn();
    expect(await ended(id)).toEqual(['sent', null]);
    expect(texts()).toEqual(arrived);
  });

  test('all wait while Telegram asks for a pause, without a workflow, and then go out in their order', async () => {
    const other = await anotherTalk(talk.channelId);
    const started = sendingsOf(world).length;
    failSending((number) => (number === 1 ? pause : undefined));
    const first = [await send(world, talk, 'first'), await send(world, talk, 'second')];
    await resting(1);
    const others = await send(world, other, 'other');
    await resting(2);
    await goOn();
    await resting(2);
    expect(callsToSend()).toBe(1);
    expect(await Promise.all([...first, others].map(statusOf))).toEqual(['queued', 'queued', 'queued']);
    await endPause(world.db, talk.channelId);
    await goOn();
    await goOn(other);
    for (const id of [...first, others]) expect(await ended(id)).toEqual(['sent', null]);
    expect(texts().filter((text) => text !== 'other')).toEqual(['first', 'second']);
    expect(callsToSend()).toBe(4);
    // Each lane was asked for once, by who queued in it; no workflow was.
    expect(sendingsOf(world).length - started).toBe(2);
  });

  test('over one bot go out while another one pauses', async () => {
    failSending(() => pause);
    await send(world, talk, 'waits');
    await resting(1);
    telegram.failBy(() => undefined);
    bot = telegram.addBot();
    talk = await anotherTalk(await connectBot(world, bot));
    expect(await ended(await send(world, talk, 'goes'))).toEqual(['sent', null]);
  });
});
