import { expect, test } from 'vitest';
import { keepRows, type PageOfList } from '../../src/web/parts/keep-rows.ts';

const listOf = (...pages: PageOfList['data'][]) => ({
  pages: pages.map((data, number) => ({ data, next_cursor: number + 1 < pages.length ? String(number) : null })),
  pageParams: pages.map(() => undefined),
});

const row = (id: string, status = 'pending') => ({ id, status, tags: ['vip'] });

test('rows that newer ones have moved stay the same objects, and changed ones do not', () => {
  const before = listOf([row('b'), row('a')]);
  const now = keepRows(before, listOf([row('c'), row('b')], [row('a', 'done')]));
  expect(now.pages[0]?.data[1]).toBe(before.pages[0]?.data[0]);
  expect(now.pages[1]?.data[0]).toEqual(row('a', 'done'));
  expect(now.pages[1]?.data[0]).not.toBe(before.pages[0]?.data[1]);
});

test('a list in which nothing has changed stays the same object', () => {
  const before = listOf([row('b')], [row('a')]);
  expect(keepRows(before, listOf([row('b')], [row('a')]))).toBe(before);
  expect(keepRows(before, listOf([row('b'), row('a')]))).not.toBe(before);
});
