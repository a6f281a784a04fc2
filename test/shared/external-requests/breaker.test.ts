import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RequestOutcome } from '../../../src/shared/external-requests/after-attempt.ts';
import { enterOrigin, leaveOrigin, type Origin } from '../../../src/shared/external-requests/breaker.ts';
import { createSecrets } from '../../../src/shared/platform/secrets/seal.ts';
import { anAccount } from '../../helpers/accounts.ts';
import { ageBreakers } from '../../helpers/states/origins.ts';
import { createTestDatabase, type TestDatabase } from '../../helpers/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

let shop: Origin;
beforeEach(async () => {
  const { accountId } = await anAccount({ db: database.db, secrets: createSecrets(new Uint8Array(32)) });
  shop = { accountId, origin: 'https://shop.example' };
});

const answered = (status: number): RequestOutcome => ({ type: 'answered', status, isSuccess: status < 300 });
const failed = (reason: 'timeout' | 'connect' | 'refused_address' | 'too_large'): RequestOutcome => ({
  type: 'failed',
  reason,
  requestSent: true,
});

const enter = (origin = shop) => enterOrigin(database.db, origin, 25_000);
const leave = (outcome: RequestOutcome, isProbe = false) => leaveOrigin(database.db, shop, { outcome, isProbe });
const leaveTimes = async (times: number, outcome: RequestOutcome) => {
  const changes = [];
  for (let time = 0; time < times; time += 1) changes.push(await leave(outcome));
  return changes.filter(Boolean);
};
const pass = (seconds: number) => ageBreakers(database.db, { seconds });
const leftSeconds = async (): Promise<number> => {
  const [row] = await database.db<{ left: number }[]>`
    select extract(epoch from retry_at - clock_timestamp())::float8 as left from origin_breakers where account_id = ${shop.accountId}`;
  return row?.left ?? Number.NaN;
};

const go = { type: 'go', isProbe: false };

test.for([answered(500), answered(503), failed('timeout'), failed('connect')])(
  'ten times %o one after another open it, and calls wait, each spread over the time after the next probe',
  async (outcome) => {
    expect(await leaveTimes(9, outcome)).toEqual([]);
    expect(await enter()).toEqual(go);
    expect(await leave(outcome)).toBe('opened');
    const waits = await Promise.all(Array.from({ length: 20 }, () => enter()));
    const times = waits.map((wait) => (wait.type === 'wait' ? wait.ms : 0));
    expect(Math.min(...times)).toBeGreaterThan(29_000);
    expect(Math.max(...times)).toBeLessThan(60_000);
    expect(new Set(times).size).toBeGreaterThan(10);
  },
);

test('one good answer in between begins the count anew', async () => {
  await leaveTimes(9, answered(500));
  await leave(answered(404));
  expect(await leaveTimes(9, answered(500))).toEqual([]);
  expect(await enter()).toEqual(go);
});

test('a 503 that is a success by the rules of its block says that the origin is well', async () => {
  await leaveTimes(9, answered(500));
  await leave({ type: 'answered', status: 503, isSuccess: true });
  expect(await leaveTimes(9, answered(500))).toEqual([]);
});

test('failures of ten minutes ago do not count', async () => {
  await leaveTimes(9, answered(500));
  await pass(601);
  expect(await leave(answered(500))).toBeUndefined();
  expect(await enter()).toEqual(go);
});

test.for([answered(200), answered(404), answered(429), failed('refused_address'), failed('too_large')])(
  '%o says nothing against the origin',
  async (outcome) => {
    expect(await leaveTimes(20, outcome)).toEqual([]);
    expect(await enter()).toEqual(go);
  },
);

test('it is open for this account and origin alone', async () => {
  await leaveTimes(10, answered(500));
  const other = await anAccount({ db: database.db, secrets: createSecrets(new Uint8Array(32)) });
  expect(await enter({ ...shop, accountId: other.accountId })).toEqual(go);
  expect(await enter({ ...shop, origin: 'https://shop.example:8443' })).toEqual(go);
});

describe('when its time is over', () => {
  beforeEach(async () => {
    await leaveTimes(10, answered(500));
    await pass(31);
  });

  test('one call of many probes, the others wait on', async () => {
    const entered = await Promise.all(Array.from({ length: 20 }, () => enter()));
    expect(entered.filter(({ type }) => type === 'go')).toEqual([{ type: 'go', isProbe: true }]);
  });

  test('a probe that goes well closes it', async () => {
    await enter();
    expect(await leave(answered(200), true)).toBe('closed');
    expect(await enter()).toEqual(go);
  });

  test('each probe that fails doubles the time, to five minutes', async () => {
    const times = [];
    for (let probe = 0; probe < 5; probe += 1) {
      expect(await enter()).toEqual({ type: 'go', isProbe: true });
      await leave(answered(500), true);
      const left = await leftSeconds();
      times.push(Math.round(left));
      await pass(left + 1);
    }
    expect(times).toEqual([60, 120, 240, 300, 300]);
  });

  test('a probe of which nothing is heard is given up', async () => {
    await enter();
    expect(await enter()).toMatchObject({ type: 'wait' });
    await pass(26);
    expect(await enter()).toEqual({ type: 'go', isProbe: true });
  });

  test('calls that were under way when it opened count for nothing', async () => {
    await leaveTimes(20, answered(500));
    expect(await enter()).toEqual({ type: 'go', isProbe: true });
  });
});
