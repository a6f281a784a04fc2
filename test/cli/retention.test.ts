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

/** The partitions of the week that holds the day so many days ago; answers its Monday. */
const aWeek = async (daysAgo: number): Promise<string> => {
  const [{ week }] = await database.db<[{ week: string }]>`
    select to_char(date_trunc('week', day), 'YYYY-MM-DD') as week, log_partitions(day, day)
    from (select now() - make_interval(days => ${daysAgo}) as day) as days`;
  return week;
};

test('retention run --dry-run lists the weeks that would go and touches none; retention run removes them', async () => {
  const week = await aWeek(120);
  const listed = await run('--dry-run', '--json');
  const old = { week, deliveries: 0, bytes: expect.any(Number), rounds_in_progress: 0 };
  expect(listed.json()).toEqual({ retention_days: 90, weeks: [old] });
  expect((await run('--dry-run')).stdout).toMatch(new RegExp(`^${week} +about 0 +\\d+\\.\\d MiB +dropped$`, 'm'));

  const done = await run('--days', '90', '--json');
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
  expect((await run('--days', '91')).stdout).toMatch(/^Older than +91 days\nWeeks dropped +0$/m);
});

test('where RETENTION_DAYS is not set, retention run drops nothing until it is told how many days are kept', async () => {
  const week = await aWeek(120);
  for (const RETENTION_DAYS of [undefined, '']) {
    env = { ...env, ...(RETENTION_DAYS !== undefined && { RETENTION_DAYS }) };
    expect(await run()).toMatchObject({ code: 2, stderr: expect.stringMatching(/--days/) });
  }
  env = { ...env, RETENTION_DAYS: '365' };
  expect((await run('--json')).json()).toMatchObject({ retention_days: 365, weeks_dropped: 0 });
  expect((await run('--dry-run', '--days', '30', '--json')).json()).toMatchObject({ weeks: [{ week }] });
  expect((await run('--days', '30', '--json')).json()).toMatchObject({ retention_days: 30, weeks_dropped: 1 });
});

test('a retention of less than a week is refused', async () => {
  env = { ...env, RETENTION_DAYS: '6' };
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringMatching(/RETENTION_DAYS/) });
  expect(await run('--days', '6')).toMatchObject({ code: 2, stderr: expect.stringMatching(/--days/) });
});
