import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLocalRequests } from '../../../../src/shared/runs/requests/local-requests.ts';
import type { Next } from '../../../../src/shared/runs/types.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const requestsOf = (total: number) => {
  const placed: boolean[] = [];
  const requests = createLocalRequests({ total, onPlaced: (isLocal) => placed.push(isLocal) });
  let count = 0;
  /** A new run at a request, and whether that is local. */
  const next = (lane: string, more: { timeoutMs?: number; knows?: boolean; runId?: string } = {}) => {
    const { timeoutMs = 10_000, knows = true, runId = `run-${(count += 1)}` } = more;
    const run = { runId, resumes: 0, ...(knows && { localRequests: true as const }) };
    const call: Next = { type: 'call', step: 1, blockId: 'stock', timeoutMs, lane };
    const result = requests.place(run, call);
    return { runId, isLocal: result.type === 'call' && result.local === true };
  };
  return { requests, placed, next };
};

test('requests of more than 10 s, and of runs that a process of 0.3 may carry, are activities', () => {
  const { next, placed } = requestsOf(20);
  expect(next('acme/shop', { timeoutMs: 10_001 }).isLocal).toBe(false);
  expect(next('acme/shop', { knows: false }).isLocal).toBe(false);
  expect(placed).toEqual([]);
  expect(next('acme/shop').isLocal).toBe(true);
  expect(placed).toEqual([true]);
});

test('one origin alone has a third of the slots, its account half, and the next account a free one', () => {
  const { next, placed } = requestsOf(20);
  const many = (lane: string) => Array.from({ length: 30 }, () => next(lane)).filter(({ isLocal }) => isLocal).length;
  expect(many('acme/shop')).toBe(7);
  expect(many('acme/other')).toBeGreaterThan(0);
  expect(next('bolt/shop').isLocal).toBe(true);
  expect(placed.length).toBe(61);
});

test('a process without slots, which takes no ordinary requests either, makes none in its workflow tasks', () => {
  const { next, placed } = requestsOf(0);
  expect(next('acme/shop').isLocal).toBe(false);
  expect(placed).toEqual([]);
});

test('a slot is free again when its request has ended, or has not begun for 5 s', () => {
  const { requests, next } = requestsOf(2);
  const first = next('acme/shop');
  expect(first.isLocal).toBe(true);
  expect(next('acme/shop').isLocal).toBe(false);
  const slot = requests.begin(first.runId, 1);
  vi.advanceTimersByTime(60_000);
  expect(next('acme/shop').isLocal).toBe(false);
  slot?.[Symbol.dispose]();
  const second = next('acme/shop');
  expect(second.isLocal).toBe(true);
  vi.advanceTimersByTime(5_000);
  expect(requests.begin(second.runId, 1)).toBeUndefined();
  expect(next('acme/shop').isLocal).toBe(true);
});

test('a pass that is made again keeps its slot until the request has begun, and has none after that', () => {
  const { requests, next } = requestsOf(2);
  const { runId } = next('acme/shop');
  expect(next('acme/shop', { runId }).isLocal).toBe(true);
  const slot = requests.begin(runId, 1);
  expect(slot).toBeDefined();
  expect(next('acme/shop', { runId }).isLocal).toBe(false);
  expect(requests.begin(runId, 1)).toBeUndefined();
  slot?.[Symbol.dispose]();
  expect(next('acme/shop').isLocal).toBe(true);
});
