import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { newUuid, showId } from '../../../../../src/shared/ids.ts';
import { queueMessages } from '../../../../../src/shared/messages/outbound/queue-messages.ts';
import { takeSlots } from '../../../../../src/shared/messages/outbound/slots.ts';
import { forgetReports, nobody, noteReport } from '../../../../../src/shared/platform/processes/own-process.ts';
import { prepareChannel } from '../../../../../src/shared/messages/channels/manage.ts';
import { kindsWithCarrier } from '../../../../helpers/carrier/kinds.ts';
import { startCarrier } from '../../../../helpers/carrier/service.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { holdLock } from '../../../../helpers/locks.ts';
import {
  aChannel,
  aTalk,
  channelSecret,
  readMessage,
  send,
  sendingsOf,
  type Talk,
} from '../../../../helpers/messages.ts';
import { startReceiver, verifySignature, type Receiver } from '../../../../helpers/receiver.ts';
import { clientOfSilence } from '../../../../helpers/silent-temporal.ts';
import { setContactStatus } from '../../../../helpers/states/conversations.ts';
import { handLaneTo, makeSendingOverdue } from '../../../../helpers/states/sendings.ts';

describe('messages that go from the outbox', () => {
  let world: DeliveryWorld;
  let receiver: Receiver;
  let talk: Talk;
  let path: string;
  let count = 0;

  /** The inputs of the workflows that Temporal was asked for, by their ids. */
  const asked = new Map<string, unknown>();

  beforeAll(async () => {
    [world, receiver] = await Promise.all([
      startDeliveryWorld({ sendsMessages: true, attemptsPerChannel: 2, channelKinds: kindsWithCarrier }),
      startReceiver(),
    ]);
  });

  afterAll(async () => {
    await world.stop();
    await receiver.close();
  });

  /** Temporal takes starts, and carries none of them out. */
  beforeEach(async () => {
    asked.clear();
    const startWithDetails = async ({ options }: { options: { workflowId: string; args: unknown[] } }) => {
      asked.set(options.workflowId, options.args[0]);
      return { runId: newUuid(), eagerlyStarted: false };
    };
    world.useClient(await clientOfSilence({ interceptors: { workflow: [{ startWithDetails }] } }));
    receiver.respondWith(200);
    path = `/${(count += 1)}`;
    talk = await aTalk(world, await aChannel(world, receiver.url(path)));
  });

  const received = (of = path) => receiver.requests.filter((request) => request.path === of);
  const texts = (of = path) => received(of).map(({ rawBody }) => JSON.parse(String(rawBody)).message.text);
  const until = (condition: () => boolean | Promise<boolean>) =>
    vi.waitUntil(condition, { timeout: 30_000, interval: 10 });
  const settled = () => world.dispatcher.drain();
  const statuses = async (ids: string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { status, reason, statusCode, attemptsMade } = await readMessage(world, id);
        return [status, reason, statusCode, attemptsMade];
      }),
    );
  const lane = async (of: Talk = talk) => {
    const [row] = await world.db<{ id: string; sender: string | null; isDue: boolean }[]>`
      select id, sender, sweep_at <= clock_timestamp() as is_due from sendings
      where contact_id = ${of.contactId} and channel_id = ${of.channelId}`;
    return row;
  };
  /** Queues in one transaction, so that all of it is there when the first one is sent. */
  const queue = (of: Talk, ...told: string[]) =>
    world.transact(async (tx) => {
      const messages = told.map((text) => ({ text }));
      const queued = await queueMessages(tx, { accountId: world.accountId, ...of, messages });
      return queued.map(({ messageId }) => messageId);
    });
  const workflowOfLane = () => sendingsOf(world).at(-1) ?? expect.fail('no lane');

  test('are sent after their commit in their order, signed, without a workflow, and their lane ends', async () => {
    const ids = await queue(talk, 'one', 'two', 'three');
    await settled();
    expect(texts()).toEqual(['one', 'two', 'three']);
    expect(await statuses(ids)).toEqual(ids.map(() => ['sent', null, 200, 1]));
    expect(await lane()).toBeUndefined();
    expect(asked.size).toBe(0);
    const [{ rawBody, headers } = expect.fail('nothing came')] = received();
    expect(headers['webhook-id']).toBe(showId('message', ids[0] ?? ''));
    expect(verifySignature(rawBody, channelSecret, headers['x-service-signature'])).toBe(true);
  });

  test('are sent while Temporal is away', async () => {
    world.useClient(undefined);
    const ids = await queue(talk, 'one');
    await settled();
    expect(await statuses(ids)).toEqual([['sent', null, 200, 1]]);
  });

  test('go to their workflow with the first failure, and those behind wait for it', async () => {
    receiver.respondWith(500);
    const ids = await queue(talk, 'one', 'two');
    await settled();
    expect(texts()).toEqual(['one']);
    expect(await statuses(ids)).toEqual([
      ['queued', 'status', 500, 1],
      ['queued', null, null, 0],
    ]);
    expect(await lane()).toMatchObject({ sender: null, isDue: false });
    const sendingId = workflowOfLane().replace('sending/', '');
    expect([...asked]).toEqual([[workflowOfLane(), { sendingId, resumes: 0 }]]);
    // What is queued now is the workflow's, too.
    await send(world, talk, 'three');
    await settled();
    expect(texts()).toEqual(['one']);
    const slot = await world.activities.sendNextMessage({ sendingId, resumes: 0 });
    expect(slot).toMatchObject({ type: 'wait', attemptsMade: 1, statusCode: 500 });
    if (slot.type !== 'wait') throw new Error('it does not wait');
    expect(slot.dueInMs).toBeGreaterThan(20_000);
  });

  test('that are refused for good are failed, and the next ones are sent without a workflow', async () => {
    receiver.respondWith([422, 200]);
    const ids = await queue(talk, 'one', 'two');
    await settled();
    expect(await statuses(ids)).toEqual([
      ['failed', 'status', 422, 1],
      ['sent', null, 200, 1],
    ]);
    expect(asked.size).toBe(0);
  });

  test('are not sent to a contact that was blocked meanwhile', async () => {
    receiver.respondWith(async () => {
      await setContactStatus(world.db, talk.contactId, 'blocked');
      return 200;
    });
    const ids = await queue(talk, 'one', 'two');
    await settled();
    expect((await statuses(ids))[1]).toEqual(['failed', 'blocked', null, 0]);
    expect(texts()).toEqual(['one']);
  });

  test('queued while the last one is under way or being recorded are sent after it, once', async () => {
    let queued = 1;
    receiver.respondWith(async () => {
      if (queued < 20) await send(world, talk, String((queued += 1)));
      return 200;
    });
    await send(world, talk, '1');
    await until(async () => texts().length === 20 && (await lane()) === undefined);
    await settled();
    expect(texts()).toEqual(Array.from({ length: 20 }, (_, index) => String(index + 1)));
  });

  test('queued by many at once are all sent once, in the order of the database', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => send(world, talk, String(index))));
    await until(async () => texts().length >= 40 && (await lane()) === undefined);
    await settled();
    const rows = await world.db<{ text: string }[]>`
      select text from messages where contact_id = ${talk.contactId} order by seq`;
    expect(texts()).toEqual(rows.map(({ text }) => text));
  });

  test('of a channel that hangs hold up no other channel of the account', async () => {
    const hanging = Promise.withResolvers<number>();
    receiver.respondWith(({ path: of }) => (of === path ? hanging.promise : 200));
    const others = await Promise.all(Array.from({ length: 6 }, () => aTalk(world, talk.channelId)));
    await Promise.all(others.map((of) => queue(of, 'hangs')));
    await until(() => received().length === 2);
    const healthy = await aTalk(world, await aChannel(world, receiver.url('/healthy')));
    await queue(healthy, 'goes');
    await until(() => texts('/healthy').length === 1);
    expect(received()).toHaveLength(2);
    hanging.resolve(200);
    await settled();
    expect(texts()).toHaveLength(6);
  });

  test('of a lane that a transaction is queueing in hold up no other, and wait for that transaction', async () => {
    receiver.respondWith([{ type: 'respond', status: 200, delayMs: 100 }, 200]);
    const other = await aTalk(world, talk.channelId);
    await queue(talk, 'one');
    const [commit, isQueued] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const queueing = world.transact(async (tx) => {
      await queueMessages(tx, { accountId: world.accountId, ...talk, messages: [{ text: 'two' }] });
      isQueued.resolve();
      await commit.promise;
    });
    await isQueued.promise;
    const [id = ''] = await queue(other, 'three');
    await until(async () => (await readMessage(world, id)).status === 'sent');
    commit.resolve();
    await queueing;
    await until(async () => (await lane()) === undefined);
    expect(texts().filter((text) => text !== 'three')).toEqual(['one', 'two']);
  });

  test('of a lane that is locked before it is taken hold up none that is taken with it', async () => {
    await world.transact((tx) =>
      queueMessages({ ...tx, start: () => {} }, { accountId: world.accountId, ...talk, messages: [{ text: 'one' }] }),
    );
    const { id = '' } = (await lane()) ?? {};
    const lock = await holdLock(world.db, (sql) => sql`select from sendings where id = ${id} for update`);
    const other = await aTalk(world, talk.channelId);
    const row = { id, accountId: world.accountId, ...talk, resumes: 0, ofOutbox: true };
    const sending = world.lanes.send(row);
    const [sent = ''] = await queue(other, 'three');
    await until(async () => (await readMessage(world, sent)).status === 'sent');
    expect(texts()).toEqual(['three']);
    await lock.letThrough();
    await sending;
    expect(texts()).toEqual(['three', 'one']);
  });

  test('whose outcome cannot be recorded in time are recorded by their workflow, and not sent again', async () => {
    const answer = Promise.withResolvers<number>();
    receiver.respondWith(() => answer.promise);
    const [id = ''] = await queue(talk, 'one');
    await until(() => received().length === 1);
    const held = await holdLock(
      world.db,
      (sql) => sql`select from outbound_messages where message_id = ${id} for update`,
    );
    answer.resolve(200);
    await until(() => asked.has(workflowOfLane()));
    await held.letThrough();
    await settled();
    const input = asked.get(workflowOfLane());
    expect(input).toMatchObject({
      from: expect.any(String),
      unrecorded: { messageId: showId('message', id), number: 1, outcome: 'sent', statusCode: 200 },
    });
    const { unrecorded, ...sending } = JSON.parse(JSON.stringify(input));
    expect(await world.activities.sendNextMessage(sending, { unrecorded })).toMatchObject({ status: 'sent' });
    expect(received()).toHaveLength(1);
  });

  test('wait for a process that has their lane, and are taken over when its lease is over', async () => {
    world.useClient(undefined);
    const [id = ''] = await world.transact(async (tx) => {
      const queued = await queueMessages(
        { ...tx, start: () => {} },
        {
          accountId: world.accountId,
          ...talk,
          messages: [{ text: 'one' }],
        },
      );
      return queued.map(({ messageId }) => messageId);
    });
    const row = await lane();
    await handLaneTo(world.db, id, { sender: newUuid(), seconds: 30 });
    await world.sweep();
    await settled();
    expect(received()).toHaveLength(0);
    expect((await takeSlots(world.db, { laneIds: [row?.id ?? ''], sender: newUuid() })).size).toBe(0);
    await makeSendingOverdue(world.db, talk);
    await world.sweep();
    await world.lanes.drain();
    expect(texts()).toEqual(['one']);
    expect(await statuses([id])).toEqual([['sent', null, 200, 1]]);
  });

  test('of a process that has not reported for 3 s are given back unsent, and go once it reports', async () => {
    onTestFinished(forgetReports);
    await noteReport(async () => {});
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3_100);
    const [id = ''] = await queue(talk, 'one');
    await settled();
    vi.restoreAllMocks();
    await world.lanes.drain();
    expect(received()).toHaveLength(0);
    expect(await lane()).toMatchObject({ sender: nobody, isDue: true });
    await noteReport(async () => {});
    await world.sweep();
    await world.lanes.drain();
    expect(texts()).toEqual(['one']);
    expect(await statuses([id])).toEqual([['sent', null, 200, 1]]);
  });

  test('that their channel puts off go to their workflow, with nothing held against them', async () => {
    const service = await startCarrier();
    service.answer('/send', { type: 'respond', status: 429, headers: { 'retry-after': '7' } });
    const channel = { type: 'carrier', name: 'Short messages', carrier_url: service.url, token: 'token-1' };
    const { created } = await prepareChannel(world, world.accountId, channel);
    const of = await aTalk(world, created?.id ?? '');
    const ids = await queue(of, 'one', 'two');
    await settled();
    expect(service.bodies('/send')).toHaveLength(1);
    const sending = JSON.parse(JSON.stringify(asked.get(workflowOfLane())));
    expect(sending).toEqual({ sendingId: expect.any(String), resumes: 0 });
    // Its first slot takes the lane, unless a process has taken it meanwhile (`hand-over.test.ts`).
    expect(await lane(of)).toMatchObject({ sender: nobody, isDue: false });
    service.answer('/send', { type: 'respond', body: '{"ref": "r"}' });
    for (const more of [true, false]) {
      expect(await world.activities.sendNextMessage(sending)).toMatchObject({ type: 'ended', status: 'sent', more });
    }
    expect(await statuses(ids)).toEqual(ids.map(() => ['sent', null, null, 1]));
  });

  test('given back before they were sent are nobody’s, overdue, and not held to have been sent', async () => {
    const stopped = await startDeliveryWorld({ sendsMessages: true, attemptsPerChannel: 1 });
    onTestFinished(() => stopped.stop());
    const answer = Promise.withResolvers<number>();
    receiver.respondWith(() => answer.promise);
    const channelId = await aChannel(stopped, receiver.url('/stops'));
    const [first, second] = [await aTalk(stopped, channelId), await aTalk(stopped, channelId)];
    const ids = [
      await send(stopped, first, 'one'),
      await send(stopped, first, 'two'),
      await send(stopped, second, 'x'),
    ];
    await until(() => received('/stops').length === 1);
    stopped.lanes.close();
    answer.resolve(200);
    await stopped.dispatcher.drain();
    await stopped.lanes.drain();
    expect(texts('/stops')).toEqual(['one']);
    const rows = await stopped.db`
      select s.sender, s.sweep_at <= clock_timestamp() as is_due, bool_or(o.attempt_since is not null or o.unanswered) as begun
      from sendings s join outbound_messages o on o.conversation_id = s.conversation_id and o.status = 'queued' group by s.id`;
    const givenBack = { sender: nobody, isDue: true, begun: false };
    expect(rows).toEqual([givenBack, givenBack]);
    expect((await readMessage(stopped, ids[0] ?? '')).status).toBe('sent');
  });

  test('go to workflows while a process of the version before may be left', async () => {
    const before = await startDeliveryWorld({ sendsMessages: true, settled: () => false });
    onTestFinished(() => before.stop());
    const of = await aTalk(before, await aChannel(before, receiver.url('/before')));
    await send(before, of);
    await before.dispatcher.drain();
    expect(received('/before')).toHaveLength(0);
    const sendingId = (sendingsOf(before).at(-1) ?? '').replace('sending/', '');
    expect(await before.activities.sendNextMessage({ sendingId, resumes: 0 })).toMatchObject({ status: 'sent' });
  });
});
