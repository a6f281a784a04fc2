import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/shared/custom-fields/values.ts';
import { findUrlTemplateFault, renderUrl } from '../../../../src/shared/flows/templating/render-url.ts';
import { originOf } from '../../../../src/shared/flows/templating/url-faults.ts';
import { aScope } from '../../../helpers/scope.ts';

const render = (source: string, values: Json): string => {
  const rendered = renderUrl(source, aScope(values));
  return rendered.ok ? rendered.text : rendered.problem.code;
};

describe('a value stays in its place', () => {
  test('whatever it is, the url goes to the same origin, with the same segments and parameters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        fc.pre(value.isWellFormed() && !/^\.{0,2}$/.test(value));
        const url = new URL(render('https://shop.example:8443/stock/{{a}}/left?q={{a}}&n=1', { a: value }));
        expect(url.origin).toBe('https://shop.example:8443');
        expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'stock', value, 'left']);
        expect([...url.searchParams]).toEqual([
          ['q', value],
          ['n', '1'],
        ]);
        expect(url.hash).toBe('');
      }),
      { numRuns: 500 },
    );
  });

  test.for<[string, Json, string]>([
    ['https://a.example/{{x}}', { x: 'a/b?c#d e' }, 'https://a.example/a%2Fb%3Fc%23d%20e'],
    ['https://a.example/{{x|urlencode}}?x={{x|urlencode}}', { x: 'ä b' }, 'https://a.example/%C3%A4%20b?x=%C3%A4%20b'],
    ['https://a.example/{{x|urlencode|lower}}', { x: 'Ä' }, 'https://a.example/%25c3%2584'],
    ['https://a.example?x={{x}}', { x: '&y=1' }, 'https://a.example?x=%26y%3D1'],
    ['https://a.example/{{x}}', { x: '\ud800' }, 'https://a.example/%EF%BF%BD'],
    ['http://127.0.0.1:8080/', {}, 'http://127.0.0.1:8080/'],
    ['https://[::1]:8443/{{x}}', { x: 1 }, 'https://[::1]:8443/1'],
  ])('%s with %j', ([source, values, expected]) => {
    expect(render(source, values)).toBe(expected);
  });

  test.for<[string, string]>([
    ['https://a.example/orders/{{x}}/lines', '..'],
    ['https://a.example/orders/{{x}}', '.'],
    ['https://a.example/orders/.{{x}}/', '.'],
    ['https://a.example/orders/%2e{{x}}/', '.'],
    ['https://a.example/orders/%2E{{x}}?a', '.'],
  ])('%s cannot be led to another path by %j', ([source, x]) => {
    expect(render(source, { x })).toBe('invalid_url');
  });

  test('dots within a segment or in the query are harmless', () => {
    expect(render('https://a.example/{{x}}?y={{y}}', { x: 'a..b', y: '../..' })).toBe(
      'https://a.example/a..b?y=..%2F..',
    );
  });

  test('a url has at most 8192 characters', () => {
    expect(render('https://a.example/{{x}}', { x: 'x'.repeat(8_192) })).toBe('too_long');
  });
});

test.for([
  '{{scheme}}://a.example/',
  'https://{{host}}/',
  'https://a.example{{x}}',
  'https://a.example:{{port}}/',
  'https://a.{{x}}.example/',
  'https://user{{x}}@a.example/',
  'https://user@a.example/',
  '//a.example/{{x}}',
  'ftp://a.example/{{x}}',
  'javascript:{{x}}',
  'https:///{{x}}',
  'https://a.example\\{{x}}',
  'https://a.example/a\\b',
  'https://a.example/#{{x}}',
  'https://a.example/a b',
  'https://a.exa\nmple/',
  'https://a.example/\n{{x}}',
  ' https://a.example/',
])('%j is no url: its scheme, host and port are the template’s own', (source) => {
  expect(findUrlTemplateFault(source)).toBeDefined();
  expect(render(source, { x: 'x', host: 'a.example', scheme: 'https', port: '1' })).toBe('invalid_url');
});

test.for<[url: string, position: number, message: RegExp]>([
  ['shop.example/x', 0, /no scheme/],
  ['//shop.example/x', 0, /no scheme/],
  [' https://shop.example/', 0, /begins with a blank/],
  ['ftp://shop.example/', 0, /the scheme ftp/],
  ['{{scheme}}://shop.example/', 0, /begins with a placeholder/],
  ['https://user:pw@shop.example/', 8, /user name or password/],
  ['https://{{host}}/', 8, /a placeholder or a brace in its host/],
  ['https://a.{{x}}.example/', 10, /a placeholder or a brace in its host/],
  ['https:///x', 8, /no host/],
  ['https://a..example:99999/', 8, /no host that can be called/],
  ['https://shop.example/a b', 22, /a blank; in a url it is written %20/],
  ['https://shop.example/a?q={{x}} y', 30, /a blank/],
  ['https://shop.example/a\\b', 22, /a backslash/],
  ['https://shop.example/{{x}}#top', 26, /a fragment/],
  ['https://shop.example/a\tb', 22, /control character/],
  ['https://shop.example/a/../b', 23, /only dots/],
  ['https://shop.example/{{x}}/..', 27, /only dots/],
])('what is wrong with %j is named with its position', ([url, position, message]) => {
  expect(findUrlTemplateFault(url)).toEqual({ position, message: expect.stringMatching(message) });
});

test.for(['https://shop.example/{{x}}/..{{y}}', 'https://shop.example/a..b', 'https://shop.example/?up=/../'])(
  'nothing is wrong with %j before it is rendered',
  (url) => {
    expect(findUrlTemplateFault(url)).toBeUndefined();
  },
);

test('the origin is what is called', () => {
  expect(originOf('https://Shop.example:8443/stock/{{sku}}')).toBe('https://Shop.example:8443');
  expect(originOf('https://shop.example?x')).toBe('https://shop.example');
  expect(originOf('https://shop.example{{x}}')).toBeUndefined();
});
