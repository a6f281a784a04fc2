import { afterEach, expect, test, vi } from 'vitest';
import { createTryBudget, type TryBudget } from '../../src/api/try-budget.ts';

afterEach(() => {
  vi.useRealTimers();
});

const granted = (budget: TryBudget, key: string, tries: number): number =>
  Array.from({ length: tries }, () => budget.take(key)).filter(({ waitSeconds }) => waitSeconds === undefined).length;

test('a key has its tries, whatever others take, and new ones when its window is over', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const budget = createTryBudget({ tries: 3, windowSeconds: 60 });
  expect(granted(budget, 'a', 5)).toBe(3);
  expect(granted(budget, 'b', 5)).toBe(3);
  vi.advanceTimersByTime(59_000);
  expect(budget.take('a')).toEqual({ waitSeconds: 1 });
  vi.advanceTimersByTime(1_000);
  expect(granted(budget, 'a', 5)).toBe(3);
});

test('a try that is given back is there again, and refused ones cost nothing', () => {
  const budget = createTryBudget({ tries: 2, windowSeconds: 60 });
  expect(granted(budget, 'a', 100)).toBe(2);
  budget.giveBack('a');
  expect(granted(budget, 'a', 100)).toBe(1);
  budget.clear('a');
  expect(granted(budget, 'a', 100)).toBe(2);
});

test('nobody is owed a try by giving back more than were taken', () => {
  const budget = createTryBudget({ tries: 2, windowSeconds: 60 });
  budget.giveBack('a');
  budget.take('a');
  budget.giveBack('a');
  budget.giveBack('a');
  expect(granted(budget, 'a', 100)).toBe(2);
});

test('however many keys there are, no more are kept than were allowed; the oldest is forgotten', () => {
  const budget = createTryBudget({ tries: 1, windowSeconds: 60, maxKeys: 1_000 });
  budget.take('first');
  for (let index = 1; index < 1_000; index += 1) budget.take(`key ${index}`);
  expect(budget.take('first').waitSeconds).toBeGreaterThan(0);
  for (let index = 1_000; index < 20_000; index += 1) budget.take(`key ${index}`);
  expect(budget.size).toBe(1_000);
  expect(budget.take('first')).toEqual({});
});

test('keys whose window is over are kept no longer', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const budget = createTryBudget({ tries: 1, windowSeconds: 60 });
  for (let index = 0; index < 1_000; index += 1) budget.take(`key ${index}`);
  vi.advanceTimersByTime(60_000);
  budget.take('one more');
  expect(budget.size).toBe(1);
});
