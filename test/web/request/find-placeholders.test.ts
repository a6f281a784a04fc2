import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findPlaceholders, readTyped, sampleOf } from '../../../src/web/pages/flows/request/find-placeholders.ts';

const field = (key: string, type: 'text' | 'json') => ({ key, name: key, type, options: null, default: null });
const fields = new Map([field('size', 'text'), field('cart', 'json')].map((one) => [one.key, one]));

test('the values that a request needs are found once each, and what the service knows is not asked for', () => {
  const block = {
    method: 'POST',
    url: 'https://a.example/{{size}}/{{contact.custom_fields.size}}?n={{contact.first_name|lower}}',
    headers: { a: '{{run.id}} {{credential.shop}} {{now}}', b: '{{reply.text}}' },
    body: '{"a": {{cart.items[0]}}, "b": {{params.order.id}}, "c": "{{event.order.to}}", "d": "{{unknown}}"}',
    body_type: 'json',
    form: { x: '{{last_name}}' },
  };
  expect(findPlaceholders(block, fields).map(({ path, from }) => `${from} ${path}`)).toEqual([
    'field size',
    'field first_name',
    'field cart',
    'params params.order.id',
    'event event.order.to',
    'reply reply.text',
  ]);
});

test('of a request for each item of a list the list is asked for, and its items are not', () => {
  const block = {
    method: 'GET',
    url: 'https://a.example/{{item.id}}/{{index}}/{{params.shop}}',
    for_each: { items: '{{params.orders}}' },
  };
  expect(findPlaceholders(block, fields).map(({ path }) => path)).toEqual(['params.orders', 'params.shop']);
});

test('what was typed becomes the body of a test, and fields that nobody typed are left to the contact', () => {
  const asked = findPlaceholders(
    { method: 'GET', url: 'https://a.example/{{size}}/{{params.a.b}}/{{params.a.c}}/{{reply.text}}/{{first_name}}' },
    fields,
  );
  const typed = new Map([
    ['size', '7'],
    ['params.a.b', '7'],
    ['params.a.c', 'x'],
    ['reply.text', 'yes'],
    ['other', 'z'],
  ]);
  expect(sampleOf(asked, typed)).toEqual({
    values: { size: '7' },
    params: { a: { b: 7, c: 'x' } },
    reply: 'yes',
    event: null,
  });
});

test.for<[string, unknown]>([
  ['7', 7],
  ['"7"', '7'],
  ['{"a": 1}', { a: 1 }],
  ['true', true],
  ['{', '{'],
  ['2026-03-01', '2026-03-01'],
  ['', ''],
])('a typed value is JSON where it reads as such: %s', ([typed, value]) => {
  expect(readTyped(typed)).toEqual(value);
});

test('a half-finished block of any values has placeholders without an error', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('url', 'headers', 'body', 'form', 'body_type', 'query'), fc.jsonValue()),
      (block) => {
        expect(findPlaceholders(block, fields).length).toBeLessThanOrEqual(50);
      },
    ),
  );
});
