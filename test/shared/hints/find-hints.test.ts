import { afterAll, beforeEach, expect, test } from 'vitest';
import { connectForStreams } from '../../../src/api/stream/streams.ts';
import { recordAttempt, noEvidence } from '../../../src/shared/deliveries/attempts.ts';
import { endRound } from '../../../src/shared/deliveries/rounds.ts';
import { createHintFinder, type HintFinder } from '../../../src/shared/hints/find-hints.ts';
import type { Hint, Topic } from '../../../src/shared/hints/schema.ts';
import { showId } from '../../../src/shared/ids.ts';
import { connectOverheard, createTestDatabase } from '../../helpers/database.ts';
import { aDelivery, manyDeliveries } from '../../helpers/deliveries.ts';
import { aBareAccount } from '../../helpers/states/accounts.ts';
import { aBareWebhook, ageSuccesses, aSilentContact, beginSecondRound } from '../../helpers/states/hints.ts';

const { db, target, drop } = await createTestDatabase();
const forStreams = connectForStreams(target);
afterAll(async () => {
  await forStreams.end();
  await drop();
});

let accountId: string;
let webhookId: string;
let finder: HintFinder;
beforeEach(async () => {
  accountId = await aBareAccount(db);
  webhookId = await aBareWebhook(db, accountId);
  finder = createHintFinder(forStreams);
});

const find = async (): Promise<readonly Hint[]> => (await finder.find([accountId])).get(accountId) ?? [];
const topicsOf = (hints: readonly Hint[]): Topic[] => hints.map(({ topic }) => topic);
const show = (id: string) => showId('delivery', id);
const fillLog = () => manyDeliveries(db, { accountId, webhookId, status: 'delivered', count: 300 });

const succeed = (deliveryId: string) =>
  recordAttempt(
    db,
    { deliveryId, round: 1, kind: 'scheduled', number: 1 },
    {
      outcome: 'succeeded',
      statusCode: 200,
      durationMs: 1,
      startedAt: new Date(),
      generation: 1,
      evidence: noEvidence,
    },
  );

test('nothing is told twice, nor what was there before', async () => {
  await aDelivery(db, { accountId, webhookId, status: 'delivered' });
  await finder.follow(accountId);
  expect(await find()).toEqual([]);
  const id = await aDelivery(db, { accountId, webhookId, status: 'parked' });
  expect(await find()).toEqual([{ topic: 'deliveries', ids: [show(id)], more: false }]);
  expect(await find()).toEqual([]);
});

test('a delivery in progress is followed to its end, however many are newer', async () => {
  const old = await aDelivery(db, { accountId, webhookId, status: 'retrying' });
  await fillLog();
  await finder.follow(accountId);
  await endRound(db, { deliveryId: old, round: 1 }, 'failed');
  expect(await find()).toEqual([{ topic: 'deliveries', ids: [show(old)], more: false }]);
});

test('an old delivery that is replayed is told when its round begins', async () => {
  const old = await aDelivery(db, { accountId, webhookId, status: 'failed' });
  await fillLog();
  await finder.follow(accountId);
  await beginSecondRound(db, old);
  expect((await find())[0]?.ids).toEqual([show(old)]);
});

test('an old delivery that begins and succeeds between two looks is told all the same', async () => {
  const old = await aDelivery(db, { accountId, webhookId, status: 'failed' });
  await fillLog();
  await ageSuccesses(db, webhookId);
  await finder.follow(accountId);
  await succeed(old);
  expect((await find())[0]?.ids).toEqual([show(old)]);
});

test('of more in progress than are followed, a hint without an id comes now and then', async () => {
  await manyDeliveries(db, { accountId, webhookId, status: 'retrying', count: 350 });
  await finder.follow(accountId);
  await find();
  let told: readonly Hint[] = [];
  for (let look = 0; look < 6 && told.length === 0; look += 1) {
    await aSilentContact(db, accountId);
    told = (await find()).filter(({ topic }) => topic === 'deliveries');
  }
  expect(told).toEqual([{ topic: 'deliveries', ids: [], more: true }]);
});

test('while nothing is written in the database, a look is one short statement', async () => {
  const statements: string[] = [];
  const overheard = connectOverheard(target, (statement) => statements.push(statement));
  try {
    const quiet = createHintFinder(overheard);
    await quiet.follow(accountId);
    await expect
      .poll(async () => {
        statements.length = 0;
        await quiet.find([accountId]);
        return statements.length;
      })
      .toBe(1);
    expect(statements[0]).toContain('pg_current_snapshot');
  } finally {
    await overheard.end();
  }
});

test('a look that fails is made up for by the next', async () => {
  await finder.follow(accountId);
  const id = await aDelivery(db, { accountId, webhookId, status: 'parked' });
  await db`alter table outbound_messages rename to away`;
  await expect(find()).rejects.toThrow(/outbound_messages/);
  await db`alter table away rename to outbound_messages`;
  expect((await find()).flatMap(({ ids }) => ids)).toContain(show(id));
});

test('after a rest, or where nobody was followed, everything may have changed', async () => {
  await finder.follow(accountId);
  finder.rest();
  const hints = await find();
  expect(hints.every(({ ids, more }) => ids.length === 0 && more)).toBe(true);
  expect(topicsOf(hints)).toContain('runs');
});
