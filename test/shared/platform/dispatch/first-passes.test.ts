import { expect, test, vi } from 'vitest';
import { createFirstPasses } from '../../../../src/shared/platform/dispatch/first-passes.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Starts runs of accounts; `order` names the runs that have started. */
const starting = (passes: ReturnType<typeof createFirstPasses>, eager = true) => {
  const order: string[] = [];
  const start = (accountId: string, id: string) =>
    passes.take({ accountId, key: accountId }, id, async () => {
      order.push(id);
      return { eager };
    });
  return { order, start };
};

test('two of an account’s hundred starts await their pass, and the next account starts at once', async () => {
  const passes = createFirstPasses(6);
  const { order, start } = starting(passes);
  const ids = Array.from({ length: 100 }, (_, index) => `run ${index}`);
  const many = ids.map((id) => start('greedy', id));
  await settled();
  expect(order).toEqual(ids.slice(0, 2));
  const other = start('modest', 'other');
  await settled();
  expect(order).toEqual([...ids.slice(0, 2), 'other']);
  for (const id of ['other', ...ids]) {
    await vi.waitUntil(() => order.includes(id), { timeout: 30_000, interval: 1 });
    passes.passed(id);
  }
  await Promise.all([...many, other]);
  expect(order).toHaveLength(101);
});

test('a start whose first task goes to another process frees its slot at once', async () => {
  const { order, start } = starting(createFirstPasses(), false);
  await Promise.all(Array.from({ length: 100 }, (_, index) => start('acme', `run ${index}`)));
  expect(order).toHaveLength(100);
});

test('a pass that ends before its start is answered frees the slot', async () => {
  const passes = createFirstPasses(24);
  const { order, start } = starting(passes);
  await passes.take({ accountId: 'acme', key: 'flow' }, 'run', async () => {
    passes.passed('run');
    return { eager: true };
  });
  const next = Array.from({ length: 8 }, (_, index) => start('acme', `run ${index}`));
  await settled();
  expect(order).toHaveLength(8);
  for (const id of order) passes.passed(id);
  await Promise.all(next);
});

test('a start that fails frees its slot', async () => {
  const passes = createFirstPasses();
  const failing = Array.from({ length: 20 }, (_, index) =>
    passes.take({ accountId: 'acme', key: 'flow' }, `run ${index}`, () => Promise.reject(new Error('away'))),
  );
  const outcomes = await Promise.allSettled(failing);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
});
