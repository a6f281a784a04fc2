import { expect, test } from 'vitest';
import { lockAutomation, shareAutomation } from '../../../src/shared/accounts/automation-lock.ts';
import { useApi } from '../../helpers/api.ts';
import { untilSomebodyWaits } from '../../helpers/database.ts';

const { db, createAccount } = await useApi();

test('who begins automation waits for those who have not seen it, and for nobody of another account', async () => {
  const [one, other] = [await createAccount(), await createAccount()];
  const order: string[] = [];
  const receiving = Promise.withResolvers<void>();
  const shared = Promise.withResolvers<void>();
  const receive = db.begin(async (sql) => {
    await sql`select ${shareAutomation(sql, one.accountId)}`;
    shared.resolve();
    await receiving.promise;
    order.push('received');
  });
  await shared.promise;
  await db.begin((sql) => sql`select ${shareAutomation(sql, one.accountId)}`);
  await db.begin((sql) => lockAutomation(sql, other.accountId));
  const begin = db.begin(async (sql) => {
    await lockAutomation(sql, one.accountId);
    order.push('begun');
  });
  await untilSomebodyWaits(db);
  receiving.resolve();
  await Promise.all([receive, begin]);
  expect(order).toEqual(['received', 'begun']);
});
