import { describe, expect, test } from 'vitest';
import { pathWithin } from '../../src/web/pages/session/path-within.ts';

const ours = 'https://app.example.com';

const elsewhere = [
  null,
  '',
  'evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/.//evil.example',
  '/./\\evil.example',
  '/.\\/evil.example',
  '/x/..//evil.example',
  '/x/%2e%2e//evil.example',
  '/%2e//evil.example',
  '/%2E%2E//evil.example/a?b#c',
  '/../..//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\\evil.example',
  '/.\t//evil.example',
  '\t//evil.example',
  ' //evil.example',
  'https://evil.example',
  'https:evil.example',
  'https:/evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  '//app.example.com@evil.example',
  '//app.example.com:8443/',
];

describe('a next that could leave the origin leads to the first page', () => {
  test.for(elsewhere)('%j', (next) => {
    expect(pathWithin(next, ours)).toBe('/');
  });
});

describe('a next of our own is followed', () => {
  test.for([
    ['/', '/'],
    ['/settings/api?a=1&b=%2F%2Fevil.example#c', '/settings/api?a=1&b=%2F%2Fevil.example#c'],
    ['/contacts/../flows', '/flows'],
    ['/%2F/evil.example', '/%2F/evil.example'],
    ['/a//b', '/a//b'],
    ['/@evil.example', '/@evil.example'],
    ['/?next=//evil.example', '/?next=//evil.example'],
    ['//app.example.com/flows', '/flows'],
  ])('%j', ([next = '', path]) => {
    expect(pathWithin(next, ours)).toBe(path);
  });
});

test('wherever a next leads, it is on the same origin', () => {
  const parts = ['/', '\\', '.', '..', '%2e', '\t', '//', 'evil.example', 'https:', '@', '?', '#', ':', ' '];
  for (const one of parts)
    for (const two of parts)
      for (const three of parts)
        for (const four of parts) {
          const path = pathWithin(`/${one}${two}${three}${four}`, ours);
          expect(path.startsWith('/') && new URL(path, ours).origin === ours).toBe(true);
        }
});
