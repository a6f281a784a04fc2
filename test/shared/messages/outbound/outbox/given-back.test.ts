import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connectForBatches } from '../../../../../src/shared/deliveries/outbox/statements.ts';
import { newUuid } from '../../../../../src/shared/ids.ts';
import { createLaneStatements, NotSent } from '../../../../../src/shared/messages/outbound/outbox/statements.ts';
import { giveBackSlot, takeSlots } from '../../../../../src/shared/messages/outbound/slots.ts';
import { laneWork, type LaneRow } from '../../../../../src/shared/messages/outbound/work.ts';
import { nobody } from '../../../../../src/shared/platform/processes/own-process.ts';
import { startDeliveryWorld } from '../../../../helpers/delivery-world.ts';
import { holdLock } from '../../../../helpers/locks.ts';
import { aChannel, aTalk, send } from '../../../../helpers/messages.ts';
import { refuseReturns } from '../../../../helpers/refused-returns.ts';
import { handLaneTo, markAttempt } from '../../../../helpers/states/sendings.ts';

test.each(['giveBack', 'leaveToSweep'] as const)(
  'a locked lane holds up no other that is left with it: %s',
  async (way) => {
    const world = await startDeliveryWorld();
    onTestFinished(() => world.stop());
    const { db, transact } = world;
    const channelId = await aChannel(world, 'https://127.0.0.1:1/');
    const sender = newUuid();
    for (const _ of [1, 2, 3])
      await handLaneTo(db, await send(world, await aTalk(world, channelId)), { sender, seconds: 50 });
    const lanes = await db<LaneRow[]>`select ${laneWork.columns(db)} from sendings order by id`;
    const held = await holdLock(db, (sql) => sql`select from sendings where id = ${lanes[0]?.id ?? ''} for update`);
    const forBatches = connectForBatches(world.target);
    onTestFinished(() => forBatches.end());
    const log = pino({ level: 'silent' });
    const statements = createLaneStatements({
      sender,
      transact,
      forBatches,
      tellTopics: () => {},
      log,
    });
    for (const lane of lanes) statements[way](lane);
    await statements.drain();
    const overdue = await db<{ id: string }[]>`select id from sendings where sweep_at <= clock_timestamp() order by id`;
    await held.letThrough();
    expect(overdue.map(({ id }) => id)).toEqual(lanes.slice(1).map(({ id }) => id));
  },
);

/** A way to the server on which the first connection can be held up; what is sent over it meanwhile arrives afterwards. */
const aSlowNetwork = async (target: string) => {
  const { host, pathname } = new URL(target);
  const pairs: (readonly [Socket, Socket])[] = [];
  const proxy = createServer((near) => {
    const far = connect(`${decodeURIComponent(host)}/.s.PGSQL.5432`);
    pairs.push([near, far]);
    for (const socket of [near, far]) socket.on('error', () => {});
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    for (const socket of pairs.flat()) socket.destroy();
    proxy.close();
  });
  const bound = proxy.address();
  if (bound === null || typeof bound === 'string') throw new TypeError('not a TCP server');
  const first = () => pairs[0] ?? expect.fail('nobody has connected');
  return {
    target: `postgres://parley@127.0.0.1:${bound.port}${pathname}`,
    holdUp: () => {
      const [near, far] = first();
      near.unpipe(far);
      near.pause();
    },
    letThrough: () => {
      const [near, far] = first();
      near.pipe(far);
    },
  };
};

test('a lane that a statement takes after it was given up is given back again before it is taken', async () => {
  const world = await startDeliveryWorld();
  onTestFinished(() => world.stop());
  const { db, transact } = world;
  const sender = newUuid();
  await send(world, await aTalk(world, await aChannel(world, 'https://127.0.0.1:1/')));
  const [lane = expect.fail('no lane')] = await db<LaneRow[]>`select ${laneWork.columns(db)} from sendings`;
  const network = await aSlowNetwork(world.target);
  const forBatches = connectForBatches(network.target);
  onTestFinished(() => forBatches.end({ timeout: 1 }));
  const log = pino({ level: 'silent' });
  const statements = createLaneStatements({ sender, transact, forBatches, tellTopics: () => {}, log });
  const owners = async () =>
    (
      await db<{ sender: string; isFree: boolean }[]>`
      select sender, sweep_at <= clock_timestamp() as is_free from sendings`
    )[0];
  await forBatches`select 1`;
  network.holdUp();
  await expect(statements.take(lane)).rejects.toThrow(NotSent);
  statements.giveBack(lane);
  await statements.drain();
  expect(await owners()).toEqual({ sender: nobody, isFree: true });
  await expect(statements.take(lane)).rejects.toThrow(NotSent);
  network.letThrough();
  const taken = await vi.waitUntil(() => statements.take(lane).catch(() => undefined), {
    timeout: 30_000,
    interval: 10,
  });
  expect(taken.head).toMatchObject({ wasCutOff: false, at: expect.any(Date) });
});

test('a slot says that an attempt was cut off which another process marked after the snapshot of its statement', async () => {
  const world = await startDeliveryWorld();
  onTestFinished(() => world.stop());
  const { db } = world;
  const messageId = await send(world, await aTalk(world, await aChannel(world, 'https://127.0.0.1:1/')));
  const [lane = expect.fail('no lane')] = await db<LaneRow[]>`select ${laneWork.columns(db)} from sendings`;
  const marked = await holdLock(db, (sql) => markAttempt(sql, messageId));
  const taking = takeSlots(db, { laneIds: [lane.id], sender: newUuid() });
  taking.catch(() => {});
  await marked.hasStopped('outbound_messages');
  await marked.letThrough();
  expect((await taking).get(lane.id)).toMatchObject({ wasCutOff: true, at: expect.any(Date) });
});

test.each(['giveBack', 'rest'] as const)(
  'a lane that cannot be given back is given back later, and not taken before: %s',
  async (way) => {
    const world = await startDeliveryWorld();
    onTestFinished(() => world.stop());
    const { db, transact } = world;
    const sender = newUuid();
    const messageId = await send(world, await aTalk(world, await aChannel(world, 'https://127.0.0.1:1/')));
    await handLaneTo(db, messageId, { sender, seconds: 50 });
    const [lane = expect.fail('no lane')] = await db<LaneRow[]>`select ${laneWork.columns(db)} from sendings`;
    const forBatches = connectForBatches(world.target);
    onTestFinished(() => forBatches.end());
    const log = pino({ level: 'silent' });
    const statements = createLaneStatements({ sender, transact, forBatches, tellTopics: () => {}, log });
    expect((await statements.take(lane)).head).toMatchObject({ wasCutOff: false, at: expect.any(Date) });
    const returns = await refuseReturns(db);
    statements[way](lane);
    await expect.poll(returns.times).toBeGreaterThan(0);
    await expect(statements.take(lane)).rejects.toThrow(NotSent);
    await returns.letThrough();
    const taken = await vi.waitUntil(() => statements.take(lane).catch(() => undefined), {
      timeout: 30_000,
      interval: 10,
    });
    expect(taken.head).toMatchObject({ wasCutOff: false, at: expect.any(Date) });
  },
);

test('a slot that is given back late leaves the next attempt at its message alone', async () => {
  const world = await startDeliveryWorld();
  onTestFinished(() => world.stop());
  const { db } = world;
  const messageId = await send(world, await aTalk(world, await aChannel(world, 'https://127.0.0.1:1/')));
  const [lane = expect.fail('no lane')] = await db<LaneRow[]>`select ${laneWork.columns(db)} from sendings`;
  const sender = newUuid();
  const begin = async () => {
    const head = (await takeSlots(db, { laneIds: [lane.id], sender })).get(lane.id);
    if (typeof head !== 'object' || !head.at) throw new Error('nothing begins');
    return head.at;
  };
  const isMarked = async () =>
    (await db`select from outbound_messages where message_id = ${messageId} and attempt_since is not null`).count === 1;
  const first = await begin();
  await giveBackSlot(db, { messageId, at: first });
  expect(await isMarked()).toBe(false);
  await expect.poll(async () => Date.now() - first.getTime()).toBeGreaterThan(5);
  const second = await begin();
  await giveBackSlot(db, { messageId, at: first });
  expect(await isMarked()).toBe(true);
  await giveBackSlot(db, { messageId, at: second });
  expect(await isMarked()).toBe(false);
});
