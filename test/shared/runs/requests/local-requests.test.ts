import { expect, test } from 'vitest';
import { createLocalRequests } from '../../../../src/shared/runs/requests/local-requests.ts';
import type { Next } from '../../../../src/shared/runs/types.ts';

const requestsOf = (total: number) => {
  const placed: boolean[] = [];
  const requests = createLocalRequests({ total, onPlaced: (isLocal) => placed.push(isLocal) });
  const isLocal = (lane: string, timeoutMs = 10_000): boolean => {
    const call: Next = { type: 'call', step: 1, blockId: 'stock', timeoutMs, lane };
    const next = requests.place(call);
    return next.type === 'call' && next.local === true;
  };
  return { requests, placed, isLocal };
};

test('requests of more than 10 s, and what is no request, are not for workflow tasks', () => {
  const { requests, isLocal, placed } = requestsOf(20);
  expect(isLocal('acme/shop', 10_001)).toBe(false);
  expect(requests.place({ type: 'more' })).toEqual({ type: 'more' });
  expect(isLocal('acme/shop')).toBe(true);
  expect(placed).toEqual([]);
});

test('one origin alone has a third of the slots, its account half, and the next account a free one', () => {
  const { requests, isLocal, placed } = requestsOf(20);
  const many = (lane: string) => Array.from({ length: 30 }, () => requests.begin(lane)).filter(Boolean).length;
  expect(many('acme/shop')).toBe(7);
  expect(isLocal('acme/shop')).toBe(false);
  expect(many('acme/other')).toBeGreaterThan(0);
  expect(isLocal('bolt/shop')).toBe(true);
  expect(requests.begin('bolt/shop')).toBeDefined();
  expect(placed.filter(Boolean).length).toBeLessThanOrEqual(11);
});

test('a process without slots, which takes no ordinary requests either, makes none in its workflow tasks', () => {
  const { isLocal, placed } = requestsOf(0);
  expect(isLocal('acme/shop')).toBe(false);
  expect(placed).toEqual([]);
});

test('a slot is free again when its request has ended', () => {
  const { requests, isLocal } = requestsOf(2);
  const slot = requests.begin('acme/shop');
  expect(isLocal('acme/shop')).toBe(false);
  slot?.[Symbol.dispose]();
  expect(isLocal('acme/shop')).toBe(true);
});

test('none begins while workers stop, and they begin again where others run', () => {
  const { requests, isLocal } = requestsOf(20);
  requests.close();
  expect(requests.begin('acme/shop')).toBeUndefined();
  expect(isLocal('acme/shop')).toBe(false);
  requests.open();
  expect(isLocal('acme/shop')).toBe(true);
});

test('a process without slots has none after its workers run again', () => {
  const { requests, isLocal } = requestsOf(0);
  requests.open();
  expect(isLocal('acme/shop')).toBe(false);
});
