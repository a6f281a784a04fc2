import { expect, test } from 'vitest';
import { createBulkhead, type Bulkhead } from '../../../../src/shared/platform/bulkhead/bulkhead.ts';

/** Takes slots for each webhook of each account in turn, until none gets one more. */
const takeAll = (slots: Bulkhead, { accounts, webhooks }: { accounts: number; webhooks: number }): void => {
  const holders = Array.from({ length: accounts * webhooks }, (_, index) => ({
    accountId: `account ${index % accounts}`,
    key: `webhook ${index}`,
  }));
  while (holders.map((lane) => slots.take(lane)).includes(true));
};

test.each([
  { accounts: 1, webhooks: 1 },
  { accounts: 1, webhooks: 20 },
  { accounts: 5, webhooks: 5 },
  { accounts: 20, webhooks: 20 },
])('$accounts accounts with $webhooks hanging webhooks each leave the next account a fair share', (many) => {
  const total = 400;
  const slots = createBulkhead({ total });
  takeAll(slots, many);
  expect(total - slots.size).toBeGreaterThanOrEqual(Math.floor(total / (many.accounts + 1)));
  expect(slots.take({ accountId: 'another', key: 'another' })).toBe(true);
});

test('hanging webhooks leave slots for the next webhook of their account', () => {
  const slots = createBulkhead({ total: 300, perKey: 64 });
  takeAll(slots, { accounts: 1, webhooks: 10 });
  expect(slots.take({ accountId: 'account 0', key: 'its healthy webhook' })).toBe(true);
});

test('released slots can all be taken again', () => {
  const slots = createBulkhead({ total: 30, perKey: 4 });
  const lane = { accountId: 'a', key: 'a' };
  for (let round = 0; round < 3; round += 1) {
    const taken = [1, 2, 3, 4, 5].filter(() => slots.take(lane));
    expect(taken).toEqual([1, 2, 3, 4]);
    for (const _ of taken) slots.release(lane);
  }
  expect(slots.size).toBe(0);
});
