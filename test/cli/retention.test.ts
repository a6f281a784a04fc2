import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { parleyHere, type Env } from './parley.ts';

let database: TestDatabase;
let env: Env;

beforeAll(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.target, MASTER_KEY: randomBytes(32).toString('base64') };
});

afterAll(() => database.drop());

const run = (...args: string[]) => parleyHere(env, 'retention', 'run', ...args);

test('retention run --dry-run lists the weeks that would go and touches none; retention run removes them', async () => {
  const { db } = database;
  const [{ week }] = await db<[{ week: string }]>`
    select to_char(date_trunc('week', now() - interval '120 days'), 'YYYY-MM-DD') as week`;
  await db`select log_partitions(now() - interval '120 days', now() - interval '120 days')`;
  const listed = await run('--dry-run', '--json');
  const old = { week, deliveries: 0, bytes: expect.any(Number), rounds_in_progress: 0 };
  expect(listed.json()).toEqual({ retention_days: 90, weeks: [old] });
  expect((await run('--dry-run')).stdout).toMatch(new RegExp(`^${week} +about 0 +\\d+\\.\\d MiB +dropped$`, 'm'));

  const done = await run('--json');
  expect(done).toMatchObject({ code: 0, stderr: '' });
  expect(done.json()).toEqual({
    retention_days: 90,
    weeks_dropped: 1,
    deliveries_dropped: 0,
    bytes_freed: expect.any(Number),
    weeks_in_progress: 0,
    rounds_in_progress: 0,
    weeks_in_use: 0,
    rows_deleted: 0,
  });
  expect((await run('--dry-run')).stdout).toBe('No week is older than 90 days.\n');
  expect((await run()).stdout).toMatch(/^Weeks dropped +0$/m);
});

test('a retention of less than a week is refused', async () => {
  env = { ...env, RETENTION_DAYS: '6' };
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringMatching(/RETENTION_DAYS/) });
});
