import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createMemoryStore,
  createOnce,
  StillRunningError,
  type SeenStore,
} from '../../../packages/verify/src/index.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

test('does the work of an id one time, and of each id', async () => {
  const once = createOnce();
  const work = vi.fn<() => void>();
  expect(await once('a', work)).toBe('done');
  expect(await once('a', work)).toBe('duplicate');
  expect(await once('b', work)).toBe('done');
  expect(work).toHaveBeenCalledTimes(2);
});

test('lets the next attempt do what has failed', async () => {
  const once = createOnce();
  await expect(once('a', () => Promise.reject(new Error('queue is full')))).rejects.toThrow('queue is full');
  expect(await once('a', () => {})).toBe('done');
});

test('makes a duplicate wait for the work that runs, and share its failure: no success is claimed too early', async () => {
  const once = createOnce();
  const { promise, reject } = Promise.withResolvers<void>();
  const settled = Promise.allSettled([once('a', () => promise), once('a', () => {})]);
  reject(new Error('no'));
  expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await once('a', () => {})).toBe('done');
});

test('asks a store of your own, that may be slow', async () => {
  const ids = new Set<string>(['from another process']);
  const store: SeenStore = {
    take: async (id) => !ids.has(id) && ids.add(id).has(id),
    release: async (id) => void ids.delete(id),
  };
  const once = createOnce(store);
  expect(await once('from another process', () => {})).toBe('duplicate');
  await expect(once('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(ids.has('a')).toBe(false);
  expect(await once('a', () => {})).toBe('done');
});

/** Ids as several processes share them: those at work are told apart from those that are done. */
const aSharedStore = (): SeenStore => {
  const states = new Map<string, 'running' | 'done'>();
  return {
    take: async (id) => {
      const state = states.get(id);
      if (state === undefined) states.set(id, 'running');
      return state === undefined || (state === 'running' && state);
    },
    release: async (id) => void states.delete(id),
    done: async (id) => void states.set(id, 'done'),
  };
};

test('claims no success while another process still works: what that one fails at, a later attempt does', async () => {
  const store = aSharedStore();
  const [here, there] = [createOnce(store), createOnce(store)];
  const { promise, reject } = Promise.withResolvers<void>();
  const first = here('a', () => promise);
  const early = there('a', () => {});
  await expect(early).rejects.toBeInstanceOf(StillRunningError);
  await expect(early).rejects.toMatchObject({ status: 503 });
  reject(new Error('no'));
  await expect(first).rejects.toThrow('no');
  expect(await there('a', () => {})).toBe('done');
  expect(await here('a', () => {})).toBe('duplicate');
});

test('an id that was given back is let through again', async () => {
  const store = createMemoryStore();
  const once = createOnce(store);
  const work = vi.fn<() => void>();
  await once('a', work);
  await store.release('a');
  expect(await once('a', work)).toBe('done');
  expect(work).toHaveBeenCalledTimes(2);
});

test('memory holds at most maxIds, the oldest forgotten first', () => {
  const store = createMemoryStore({ maxIds: 2 });
  for (const id of ['a', 'b', 'c']) expect(store.take(id)).toBe(true);
  expect(['b', 'c'].map(store.take)).toEqual([false, false]);
  expect(store.take('a')).toBe(true);
});

test('memory forgets an id maxAgeMs after it was taken', () => {
  const store = createMemoryStore({ maxAgeMs: 1000 });
  expect(store.take('a')).toBe(true);
  vi.advanceTimersByTime(999);
  expect(store.take('a')).toBe(false);
  vi.advanceTimersByTime(1);
  expect(store.take('a')).toBe(true);
});
