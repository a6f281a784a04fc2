import { expect, test } from 'vitest';
import { keepHeaders } from '../../../../src/shared/platform/egress/kept-headers.ts';

test('of the headers of an answer those are kept that fit into 16 kB, and a large one does not hide others', () => {
  const headers = {
    server: 'a',
    'set-cookie': Array<string>(40).fill('x'.repeat(500)),
    etag: 'b',
    link: 'x'.repeat(17_000),
  };
  expect(keepHeaders(headers)).toEqual({ server: 'a', etag: 'b' });
});

test('thousands of small headers take no more room than a few large ones', () => {
  const kept = keepHeaders(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`x-${i}`, ''])));
  expect(JSON.stringify(kept).length).toBeLessThan(40_000);
  expect(kept).toHaveProperty('x-0', '');
});
