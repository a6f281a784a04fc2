import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createApiPools, createPools } from '../../src/service/pools.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

/** The most connections of each pool, in the order of the page for operators, by who has it. */
const written = (who: string): number[] => {
  const [, section = ''] = readFileSync('docs/operations.md', 'utf8').split('## Connections to PostgreSQL');
  return [...section.matchAll(/^\| [^|]+ \| (\d+) \| ([^|]+) \|$/gm)]
    .filter(([, , of]) => of === who)
    .map(([, most]) => Number(most));
};

test('the page for operators says how many connections to PostgreSQL each pool has', async () => {
  const started = new AsyncDisposableStack();
  onTestFinished(() => started.disposeAsync());
  const most = (pools: ReturnType<typeof createPools> | ReturnType<typeof createApiPools>): number[] =>
    Object.values(pools).map((pool) => ('db' in pool ? pool.db : pool).options.max);
  expect(most(createPools(database.target, started))).toEqual(written('every process'));
  expect(most(createApiPools(database.target, started))).toEqual(written('the API'));
});
