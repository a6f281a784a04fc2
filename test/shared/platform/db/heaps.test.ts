import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimLimit, claimOverdue } from '../../../../src/shared/platform/dispatch/overdue.ts';
import { newUuid } from '../../../../src/shared/ids.ts';
import { createReplay } from '../../../../src/shared/replays/manage.ts';
import { findRoom } from '../../../../src/shared/replays/batch.ts';
import { gaugeCap, readInstallation } from '../../../../src/service/installation-numbers.ts';
import { createTestDatabase, rowsTouched, type TestDatabase } from '../../../helpers/database.ts';
import { aDelivery, manyDeliveries } from '../../../helpers/deliveries.ts';
import { aBareAccount } from '../../../helpers/states/accounts.ts';
import { makeOverdue } from '../../../helpers/states/deliveries.ts';
import { deliveryWork } from '../../../../src/shared/deliveries/work.ts';
import { toldTransact } from '../../../helpers/told-topics.ts';

/** A heap that one account has left, on whose size nothing below may depend: all of it is overdue. */
const heap = { accountId: newUuid(), webhookId: newUuid(), count: 40_000 };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await manyDeliveries(database.db, { ...heap, status: 'pending' });
  await database.db`analyze deliveries`;
});
afterAll(() => database.drop());

test("a claim reads a part of it, and has another account's one delivery and another webhook's among its first", async () => {
  const { db } = database;
  const [other, ofItsOwn] = await Promise.all([
    aDelivery(db, { accountId: newUuid(), webhookId: newUuid(), status: 'pending' }),
    aDelivery(db, { accountId: heap.accountId, webhookId: newUuid(), status: 'pending' }),
  ]);
  await makeOverdue(db, [other, ofItsOwn]);
  let claimed: string[] = [];
  const touched = await rowsTouched(db, 'deliveries', async (sql) => {
    claimed = (await claimOverdue(sql, [deliveryWork])).map(({ row }) => row.id);
  });
  expect(claimed).toHaveLength(claimLimit);
  expect(claimed).toEqual(expect.arrayContaining([other, ofItsOwn]));
  expect(touched).toBeLessThan(2_000);
});

test('of more accounts than one claim visits, each has its turn within some claims', async () => {
  const { db } = database;
  const few = new Set<string>();
  for (let number = 0; number < 60; number += 1) {
    const accountId = await aBareAccount(db);
    few.add(await aDelivery(db, { accountId, webhookId: newUuid(), status: 'pending' }));
  }
  await makeOverdue(db, [...few]);
  for (let claims = 0; few.size > 0 && claims < 40; claims += 1) {
    for (const { row } of await claimOverdue(db, [deliveryWork])) few.delete(row.id);
  }
  expect(few.size).toBe(0);
});

test('the gauges read as far as their cap, and say that it is that many or more', async () => {
  const { db } = database;
  let numbers: Awaited<ReturnType<typeof readInstallation>> | undefined;
  const touched = await rowsTouched(db, 'deliveries', async (sql) => {
    numbers = await readInstallation(sql);
  });
  expect(numbers?.unfinished).toContainEqual({ status: 'pending', count: gaugeCap });
  expect(numbers?.deliveriesOverdueSeconds).toBeGreaterThan(0);
  expect(touched).toBeLessThan(3 * gaugeCap);
});

test('a replay asks for its room without reading what is in progress for the first time', async () => {
  const { db } = database;
  await aBareAccount(db, heap.accountId);
  const scope = { accountId: heap.accountId, variants: ['api'] } as const;
  const everything = { webhookId: null, statuses: ['failed'], since: null, until: null, pace: 20 } as const;
  const replay = await toldTransact(db)((tx) => createReplay(tx, scope, everything));
  let room: Awaited<ReturnType<typeof findRoom>>;
  const touched = await rowsTouched(db, 'deliveries', async (sql) => {
    room = await findRoom(sql, replay.id);
  });
  expect(room).toMatchObject({ room: 1_000 });
  expect(touched).toBeLessThan(100);
});
