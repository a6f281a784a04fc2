import { expect, test } from 'vitest';
import { createBulkhead, type Bulkhead } from '../../../../src/shared/platform/bulkhead/bulkhead.ts';

/** Has so many accounts, each with so many webhooks, take places in turn until none of them gets one more. */
const takeAll = (places: Bulkhead, { accounts, webhooks }: { accounts: number; webhooks: number }): void => {
  const holders = Array.from({ length: accounts * webhooks }, (_, index) => ({
    accountId: `account ${index % accounts}`,
    key: `webhook ${index}`,
  }));
  while (holders.map((lane) => places.take(lane)).includes(true));
};

test.each([
  { accounts: 1, webhooks: 1 },
  { accounts: 1, webhooks: 20 },
  { accounts: 5, webhooks: 5 },
  { accounts: 20, webhooks: 20 },
])('$accounts accounts with $webhooks webhooks each that hold all they get leave a fair rest', (many) => {
  const total = 400;
  const places = createBulkhead({ total });
  takeAll(places, many);
  expect(total - places.size).toBeGreaterThanOrEqual(Math.floor(total / (many.accounts + 1)));
  expect(places.take({ accountId: 'another', key: 'another' })).toBe(true);
});

test('webhooks that hold all they get leave some to the next one of their account', () => {
  const places = createBulkhead({ total: 300, perKey: 64 });
  takeAll(places, { accounts: 1, webhooks: 10 });
  expect(places.take({ accountId: 'account 0', key: 'its healthy webhook' })).toBe(true);
});

test('what is given back can be taken again, all of it', () => {
  const places = createBulkhead({ total: 30, perKey: 4 });
  const lane = { accountId: 'a', key: 'a' };
  for (let round = 0; round < 3; round += 1) {
    const taken = [1, 2, 3, 4, 5].filter(() => places.take(lane));
    expect(taken).toEqual([1, 2, 3, 4]);
    for (const _ of taken) places.release(lane);
  }
  expect(places.size).toBe(0);
});
