import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { pino } from 'pino';
import { createGraceExtension, type Waiting } from '../../../src/shared/deliveries/extend-grace.ts';
import { endRound } from '../../../src/shared/deliveries/rounds.ts';
import { claimOverdue } from '../../../src/shared/platform/dispatch/overdue.ts';
import { works } from '../../../src/shared/works.ts';
import { aDelivery } from '../../helpers/deliveries.ts';
import { startDeliveryWorld } from '../../helpers/delivery-world.ts';
import { makeOverdue } from '../../helpers/states/deliveries.ts';

const world = await startDeliveryWorld();
afterAll(() => world.stop());
const { db, accountId } = world;
const webhookId = await world.aWebhook({ url: 'https://127.0.0.1/' });

const pending = () => aDelivery(db, { accountId, webhookId, status: 'pending' });

/** Deliveries that wait from now on, and have a second left. */
const wait = (ids: readonly string[], options: { sendWithinMs?: number } = {}): Waiting[] => {
  const grace = createGraceExtension(db, pino({ level: 'silent' }), options);
  const all = ids.map((id) => grace.add(id, performance.now() + 1_000));
  onTestFinished(async () => {
    for (const one of all) one.end();
    await grace.drain();
  });
  return all;
};

const until = (condition: () => boolean | Promise<boolean>) =>
  vi.waitUntil(condition, { timeout: 20_000, interval: 10 });

const sweepInMs = async (id: string): Promise<number> => {
  const [row] = await db<[{ ms: number }]>`
    select extract(epoch from sweep_at - clock_timestamp())::float8 * 1000 as ms from deliveries where id = ${id}`;
  return row.ms;
};

/** Makes it overdue, and has a sweep claim it. */
const claim = async (id: string): Promise<void> => {
  await makeOverdue(db, id);
  const claimed = await claimOverdue(db, works);
  expect(claimed.map(({ row }) => row.id)).toEqual([id]);
};

test('a delivery that waits gets half a minute until the sweep looks, of which it may be sent in the first half', async () => {
  const id = await pending();
  const [waiting] = wait([id]);
  expect(waiting?.isExtended).toBe(false);
  const beforeMs = performance.now();
  await until(() => waiting?.isExtended === true);
  expect((waiting?.untilMs ?? 0) - beforeMs).toBeGreaterThanOrEqual(15_000);
  // Whatever this test has waited since, what is left for the POST and its record stays the same.
  const leftToSend = (waiting?.untilMs ?? 0) - performance.now();
  expect((await sweepInMs(id)) - leftToSend).toBeGreaterThan(13_000);
});

test('a delivery that a sweep has claimed, or that has ended, is not extended, and no other for its sake left out', async () => {
  const [claimed, cancelled, waits] = [await pending(), await pending(), await pending()];
  await claim(claimed);
  await endRound(db, { deliveryId: cancelled, round: 1 }, 'cancelled');
  const all = wait([claimed, cancelled, waits]);
  await until(() => all[2]?.isExtended === true);
  expect(all.map(({ isExtended }) => isExtended)).toEqual([false, false, true]);
});

test('a delivery that a sweep claims between two extensions is not extended again', async () => {
  const [claimed, waits] = [await pending(), await pending()];
  const all = wait([claimed, waits], { sendWithinMs: 1_200 });
  const untilOf = (index: number): number => all[index]?.untilMs ?? 0;
  await until(() => all.every(({ isExtended }) => isExtended));
  await claim(claimed);
  const sinceMs = performance.now();
  await until(() => untilOf(1) > sinceMs + 1_200);
  expect(untilOf(0)).toBeLessThan(untilOf(1));
  await until(() => untilOf(0) < performance.now());
  expect(untilOf(0)).toBeLessThan(untilOf(1));
});

test('an extension whose answer comes too late is not counted on', async () => {
  const id = await pending();
  const release = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = db.begin(async (sql) => {
    await sql`select from deliveries where id = ${id} for update`;
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const [waiting] = wait([id]);
  const waitsForLock = async () =>
    (await db`select from pg_stat_activity where wait_event_type = 'Lock' and query like '%given (id, sweep_at)%'`)
      .length > 0;
  await until(waitsForLock);
  const sinceMs = performance.now();
  await until(() => performance.now() > sinceMs + 2_100);
  release.resolve();
  await holding;
  await until(async () => !(await waitsForLock()) && (await sweepInMs(id)) > 15_000);
  expect(waiting?.isExtended).toBe(false);
});

test('a delivery that waits no longer is not extended', async () => {
  const [gone, waits] = [await pending(), await pending()];
  const all = wait([gone, waits]);
  all[0]?.end();
  await until(() => all[1]?.isExtended === true);
  expect(await sweepInMs(gone)).toBeLessThan(15_000);
});
