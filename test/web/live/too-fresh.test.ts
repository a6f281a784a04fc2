import { QueryClient } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isTooFresh } from '../../../src/web/live/too-fresh.ts';

test.for([
  { path: '/conversations', pages: 1, seconds: 0 },
  { path: '/conversations', pages: 3, seconds: 2 },
  { path: '/conversations', pages: 8, seconds: 7 },
  { path: '/conversations', pages: 20, seconds: 10 },
  { path: '/overview', pages: undefined, seconds: 10 },
  { path: '/tags', pages: undefined, seconds: 0 },
])('a hint reads $path of $pages pages again once it is $seconds s old', ({ path, pages, seconds }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const client = new QueryClient();
  const queryKey = ['get', path];
  client.setQueryData(queryKey, pages === undefined ? {} : { pages: Array.from({ length: pages }, () => ({})) });
  const query = client.getQueryCache().find({ queryKey });
  vi.advanceTimersByTime(Math.max(0, 1_000 * seconds - 1));
  expect(query && isTooFresh(path, query)).toBe(seconds > 0);
  vi.advanceTimersByTime(1);
  expect(query && isTooFresh(path, query)).toBe(false);
});
