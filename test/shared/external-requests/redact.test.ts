import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asPattern, createRedactor } from '../../../src/shared/external-requests/redact.ts';
import { createSearch } from '../../../src/shared/external-requests/search-texts.ts';
import { cpuMsOf } from '../../helpers/cpu-time.ts';

const secret = 'sk_live/4711+"ä"&=x';
const { redact, excerpt, isIn } = createRedactor([secret, 'ada:correct horse', 'correct horse']);

const spellings: [string, string][] = [
  ['as it is', secret],
  ['in capitals', secret.toUpperCase()],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded in small letters', encodeURIComponent(secret).toLowerCase()],
  ['as a form has it', new URLSearchParams({ a: 'correct horse' }).toString()],
  ['percent-encoded whole', Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
  ['in JSON', JSON.stringify({ a: secret })],
  ['in JSON with escaped slashes', JSON.stringify({ a: secret }).replaceAll('/', '\\/')],
  ['in HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ['in hexadecimal', Buffer.from(secret).toString('hex')],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in base64 for urls', Buffer.from(secret).toString('base64url')],
  ['as Basic sends it', Buffer.from('ada:correct horse').toString('base64')],
  ...[0, 1, 2, 3].map((before): [string, string] => [
    `in base64 of something longer, after ${before} bytes`,
    Buffer.from(`${'"'.repeat(before)}${secret}"}`).toString('base64'),
  ]),
];

test.for(spellings)('%s it is hidden', ([, text]) => {
  const hidden = redact(`<${text}>`);
  expect(hidden).toContain('[redacted]');
  // At most the bits that the last character of base64 shares with what follows.
  expect(hidden.replace('[redacted]', '').length).toBeLessThan(14);
  expect(isIn(`<${text}>`)).toBe(true);
});

test('every time that it comes', () => {
  expect(redact(`${secret} ${secret}`)).toBe('[redacted] [redacted]');
});

test('of two secrets of which one begins the other, the longer is hidden whole', () => {
  expect(createRedactor(['sk_live', 'sk_live_4711']).redact('<sk_live_4711>')).toBe('<[redacted]>');
});

test('other text stays as it is', () => {
  expect(redact('sk_live/4712')).toBe('sk_live/4712');
  expect(createRedactor([]).redact('anything')).toBe('anything');
  expect(createRedactor(['']).redact('anything')).toBe('anything');
});

test('a short secret is hidden, but a text with it holds none', () => {
  const short = createRedactor(['7']);
  expect(short.redact('a7b')).toBe('a[redacted]b');
  expect(short.isIn('a7b')).toBe(false);
});

describe('the beginning of a text', () => {
  test('has no part of a secret, wherever it is cut', () => {
    const text = `${secret}, ${encodeURIComponent(secret)}, ${secret}${secret}`;
    for (let length = 0; length <= text.length; length += 1) {
      const cut = excerpt(text, length);
      expect(cut.length).toBeLessThanOrEqual(length);
      expect(cut).not.toMatch(/sk_/);
    }
  });

  test('is the beginning where nothing is secret', () => {
    expect(excerpt('abcdef', 3)).toBe('abc');
    expect(excerpt('ab', 3)).toBe('ab');
  });
});

test('whatever the secret, it is gone in every spelling', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8, maxLength: 60, unit: 'binary' }), fc.string(), (any, around) => {
      const of = createRedactor([any]);
      const spelt = [any, encodeURIComponent(any), JSON.stringify(any), Buffer.from(any).toString('base64')];
      for (const text of spelt) expect(of.redact(around + text + around)).toContain('[redacted]');
    }),
  );
});

test.for<[string, string[], string]>([
  ['which begin like one', [secret], 'sk_live/47'.repeat(100_000)],
  [
    'which are one but for its end',
    Array.from({ length: 10 }, (_, end) => `${'a'.repeat(4_000)}${end}`),
    'a'.repeat(1_000_000),
  ],
  ['which are full of one', ['a'.repeat(4_000), '7'], 'a'.repeat(1_000_000)],
  [
    'of letters beyond ASCII',
    Array.from({ length: 10 }, (_, end) => `${'é'.repeat(4_000)}${end}`),
    'É'.repeat(1_000_000),
  ],
])('a million characters %s take less than a second', ([, secrets, text]) => {
  const redactor = createRedactor(secrets);
  expect(cpuMsOf(() => [redactor.redact(text), redactor.isIn(text)])).toBeLessThan(1_000);
});

test('finds what a search by a regular expression of all spellings finds, the longest first', () => {
  const texts = ['aba', 'ab', 'aab', 'É', 'ſ', 'ß', 'a.', 'İ', 'baba'];
  const letters = fc
    .array(fc.constantFrom('a', 'b', 'A', 'B', 'é', 'É', 'ſ', 's', 'S', 'ß', 'ẞ', 'İ', 'i', '.'))
    .map((each) => each.join(''));
  const form = new RegExp(
    [...texts]
      .sort((one, other) => other.length - one.length)
      .map(asPattern)
      .join('|'),
    'gi',
  );
  fc.assert(
    fc.property(letters, (text) => {
      const expected = [...text.matchAll(form)].map(({ index, 0: { length } }) => ({
        start: index,
        end: index + length,
      }));
      expect([...createSearch(texts)(text)]).toEqual(expected);
    }),
  );
});
