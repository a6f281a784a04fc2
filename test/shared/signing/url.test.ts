import { expect, test } from 'vitest';
import { findUrlFault } from '../../../src/shared/signing/url.ts';

test.each([
  'https://example.com',
  'https://example.com:8443/a/b?c=d',
  'HTTPS://EXAMPLE.com/',
  'https://bücher.example/',
  'https://127.0.0.1:8443/',
])('takes %s: which addresses may be called is asked later', (url) => {
  expect(findUrlFault(url)).toBeUndefined();
});

test.each([
  ['plain http', 'http://example.com/'],
  ['another scheme', 'ftp://example.com/'],
  ['no url', 'example.com'],
  ['nothing', ''],
  ['no host', 'https://'],
  ['a user name', 'https://user@example.com/'],
  ['a password', 'https://user:password@example.com/'],
  ['an empty label', 'https://example..com/'],
  ['port 0', 'https://example.com:0/'],
  ['a fragment', 'https://example.com/#top'],
  ['white space inside, which the URL parser would drop', 'https://exam\nple.com/'],
  ['white space around, which the URL parser would drop', ' https://example.com/'],
])('refuses %s', (_what, url) => {
  expect(findUrlFault(url)).toMatch(/^(is|has|must) /);
});
