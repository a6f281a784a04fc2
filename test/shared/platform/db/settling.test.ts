import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecrets } from '../../../../src/shared/platform/secrets/seal.ts';
import { readSettlingMs } from '../../../../src/shared/platform/db/settling.ts';
import { anAccount } from '../../../helpers/accounts.ts';
import { createTestDatabase, type TestDatabase } from '../../../helpers/database.ts';
import { upgradedBefore } from '../../../helpers/states/processes.ts';

const dayMs = 86_400_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('an installation settles a week after its upgrade, and one that began with this version at once', async () => {
  const { db } = database;
  const secrets = createSecrets(Buffer.alloc(32, 1));
  expect(await readSettlingMs(db)).toBe(0);
  await anAccount({ db, secrets });
  expect(await readSettlingMs(db)).toBe(0);

  await upgradedBefore(db, { days: 0 });
  const settlingMs = await readSettlingMs(db);
  expect(settlingMs).toBeGreaterThan(6.9 * dayMs);
  expect(settlingMs).toBeLessThanOrEqual(7 * dayMs);

  await upgradedBefore(db, { days: 8 });
  expect(await readSettlingMs(db)).toBe(0);
});
