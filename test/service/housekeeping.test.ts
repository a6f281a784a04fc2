import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { keepHouse } from '../../src/service/housekeeping.ts';
import { retentionSchedule } from '../../src/shared/temporal/schedules.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { startDevServer, type DevServer } from '../helpers/temporal.ts';

let database: TestDatabase;
let temporal: DevServer;

beforeAll(async () => {
  [database, temporal] = await Promise.all([createTestDatabase(), startDevServer()]);
});

afterAll(async () => {
  await Promise.all([database.drop(), temporal.stop()]);
});

test('the schedules are registered while a process serves, not only when it connects', async () => {
  const house = keepHouse({
    db: database.db,
    sweep: async () => 0,
    temporal: () => temporal.client,
    log: pino({ level: 'silent' }),
  });
  onTestFinished(house.stop);
  const isThere = () =>
    temporal.client.schedule
      .getHandle(retentionSchedule)
      .describe()
      .then(() => true)
      .catch(() => false);
  expect(await vi.waitUntil(isThere, { timeout: 10_000 })).toBe(true);
});
