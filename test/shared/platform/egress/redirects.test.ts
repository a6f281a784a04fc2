import { describe, expect, test } from 'vitest';
import { findHop } from '../../../../src/shared/platform/egress/redirects.ts';

const url = 'https://a.example/x/y?q=1';
const hop = (status: number, location?: string | string[], method = 'POST') =>
  findHop({ url, method }, { status, headers: location === undefined ? {} : { location } });

test.for([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'PUT', 'GET'],
  [301, 'PUT', 'PUT'],
  [302, 'DELETE', 'DELETE'],
  [307, 'POST', 'POST'],
  [308, 'PATCH', 'PATCH'],
  [302, 'GET', 'GET'],
] as const)('%i makes of %s a %s, and the body goes with what stays', ([status, method, next]) => {
  const keepsBody = next === method && !(status === 303);
  expect(hop(status, '/z', method)).toMatchObject({ method: next, keepsBody: keepsBody || method === 'GET' });
});

describe('where it leads', () => {
  test.for([
    ['z', 'https://a.example/x/z', false],
    ['/z#part', 'https://a.example/z', false],
    ['?r=2', 'https://a.example/x/y?r=2', false],
    ['https://a.example:443/z', 'https://a.example/z', false],
    ['//b.example/z', 'https://b.example/z', true],
    ['https://a.example:8443/z', 'https://a.example:8443/z', true],
    ['https://A.EXAMPLE/z', 'https://a.example/z', false],
  ] as const)('%s', ([location, to, crossesOrigin]) => {
    expect(hop(307, location)).toMatchObject({ url: to, crossesOrigin });
  });
});

test.for([
  'http://a.example/',
  'file:///etc/passwd',
  'javascript:1',
  'https://u:p@a.example/',
  'https://',
  ['/a', '/b'],
])('%o is refused', (location) => {
  expect(hop(302, location)).toEqual({ problem: expect.any(String) });
});

test('from http it may lead to https', () => {
  const response = { status: 301, headers: { location: 'https://a.example/' } };
  expect(findHop({ url: 'http://a.example/', method: 'GET' }, response)).toMatchObject({ crossesOrigin: true });
});

test.for([200, 300, 304, 404])('%i is an answer, whatever its location', (status) => {
  expect(hop(status, '/z')).toBeUndefined();
});

test('a redirect that names no place is an answer', () => {
  expect(hop(302)).toBeUndefined();
});
