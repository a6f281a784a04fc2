import { expect, test, vi } from 'vitest';
import { createFirstLooks } from '../../../../src/shared/platform/dispatch/first-looks.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Starts of these accounts, of which each is told when it is made; `order` has them as they were. */
const starting = (looks: ReturnType<typeof createFirstLooks>, eager = true) => {
  const order: string[] = [];
  const start = (accountId: string, id: string) =>
    looks.take({ accountId, key: accountId }, id, async () => {
      order.push(id);
      return { eager };
    });
  return { order, start };
};

test('of a hundred starts of one account two have not looked, and the next account starts at once', async () => {
  const looks = createFirstLooks(6);
  const { order, start } = starting(looks);
  const ids = Array.from({ length: 100 }, (_, index) => `run ${index}`);
  const many = ids.map((id) => start('greedy', id));
  await settled();
  expect(order).toEqual(ids.slice(0, 2));
  const other = start('modest', 'other');
  await settled();
  expect(order).toEqual([...ids.slice(0, 2), 'other']);
  for (const id of ['other', ...ids]) {
    await vi.waitUntil(() => order.includes(id), { interval: 1 });
    looks.looked(id);
  }
  await Promise.all([...many, other]);
  expect(order).toHaveLength(101);
});

test('a start whose first task goes to another process is not waited for', async () => {
  const { order, start } = starting(createFirstLooks(), false);
  await Promise.all(Array.from({ length: 100 }, (_, index) => start('acme', `run ${index}`)));
  expect(order).toHaveLength(100);
});

test('a look that is over before its start is answered gives the place back', async () => {
  const looks = createFirstLooks(24);
  const { order, start } = starting(looks);
  await looks.take({ accountId: 'acme', key: 'flow' }, 'run', async () => {
    looks.looked('run');
    return { eager: true };
  });
  const next = Array.from({ length: 8 }, (_, index) => start('acme', `run ${index}`));
  await settled();
  expect(order).toHaveLength(8);
  for (const id of order) looks.looked(id);
  await Promise.all(next);
});

test('a start that fails gives the place back', async () => {
  const looks = createFirstLooks();
  const failing = Array.from({ length: 20 }, (_, index) =>
    looks.take({ accountId: 'acme', key: 'flow' }, `run ${index}`, () => Promise.reject(new Error('away'))),
  );
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
});
