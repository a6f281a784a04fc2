import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/shared/custom-fields/values.ts';
import { bodyTypeOf } from '../../../../src/shared/flows/blocks/check-request.ts';
import { externalRequest, isExternalRequest } from '../../../../src/shared/flows/blocks/external-request.ts';
import { readMappingPath } from '../../../../src/shared/flows/blocks/mapping-paths.ts';
import { parseJson } from '../../../../src/shared/platform/json/parse-json.ts';
import { effectsOf, enter, resume, isBlock } from '../../../helpers/blocks.ts';
import { aField, aBlockContext } from '../../../helpers/block-context.ts';

const deep: Json = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));

const id = '1234567890123456789';
const long = { id: parseJson(id), ids: parseJson(`[${id}, 7]`), precise: parseJson('0.10000000000000000000001') };

const context = aBlockContext({
  fields: [
    aField('age', 'number'),
    aField('city', 'text'),
    aField('likes', 'list', { options: ['a', 'b', 'c'] }),
    aField('data', 'json'),
    aField('notes', 'list'),
    aField('seen', 'datetime'),
    aField('visits', 'number', { default: 5 }),
    aField('tenth', 'number', { default: 0.1 }),
    aField('limit', 'number', { default: 9_007_199_254_740_991 }),
  ],
  contact: { fields: { age: 30, likes: ['a'] } },
  run: { params: { n: '4', list: ['b', 'a'], thing: { x: 1 }, deep, ...long } },
});

describe('set_field', () => {
  test.for([
    ['city', 'set', 'in {{params.n}}', 'in 4'],
    ['city', 'set', '{{params.n}}', '4'],
    ['city', 'set', '{{last_name}}', null],
    ['city', 'set', '', null],
    ['city', 'set', 7, '7'],
    ['age', 'set', '{{params.n}}', 4],
    ['age', 'set', 7, 7],
    ['age', 'increment', 1, 31],
    ['age', 'increment', '-{{params.n}}', 26],
    ['visits', 'increment', 1, 6],
    ['visits', 'increment', '0.1', 5.1],
    ['tenth', 'increment', 0.2, 0.3],
    ['tenth', 'increment', '{{params.precise}}', 0.2],
    ['likes', 'set', '{{params.list}}', ['b', 'a']],
    ['likes', 'append', 'c', ['a', 'c']],
    ['likes', 'append', '{{params.list}}', ['a', 'b', 'a']],
    ['likes', 'remove', 'a', null],
    ['likes', 'remove', 'b', ['a']],
    ['data', 'set', '{{params.thing}}', { x: 1 }],
    ['seen', 'set', '{{now}}', '2026-03-04T10:00:00.000Z'],
    ['email', 'set', ' grace@example.com ', 'grace@example.com'],
    ['time_zone', 'set', 'europe/berlin', 'Europe/Berlin'],
    ['first_name', 'set', '', null],
    ['first_name', 'set', '{{params.id}}', id],
    ['city', 'set', '{{params.id}}', id],
    ['city', 'set', 'no. {{params.id}}', `no. ${id}`],
    ['city', 'set', '{{params.ids}}', `[${id},7]`],
    ['notes', 'set', '{{params.ids}}', [id, '7']],
    ['notes', 'append', '{{params.id}}', [id]],
  ] as const)('%s %s %j makes it %j', ([field, op, value, expected]) => {
    expect(enter({ type: 'set_field', field, op, value }, context)).toEqual({
      type: 'go',
      port: 'default',
      effects: [{ type: 'set_field', key: field, value: expected }],
    });
  });

  test.for([
    ['age', 'set', 'old'],
    ['age', 'increment', 'one'],
    ['age', 'increment', '{{last_name}}'],
    ['age', 'increment', '{{params.deep}}'],
    ['age', 'increment', '{{params.list}}'],
    ['age', 'set', '{{params.deep}}'],
    ['city', 'set', '{{params.deep}}'],
    ['data', 'set', '{{params.deep}}'],
    ['likes', 'append', '{{params.deep}}'],
    ['likes', 'append', 'z'],
    ['seen', 'set', 'today'],
    ['email', 'set', 'nobody'],
    ['time_zone', 'set', 'Mars/Olympus'],
    ['phone', 'set', '0151'],
    ['nothing', 'set', 'x'],
    ['age', 'set', '{{params.id}}'],
    ['age', 'set', id],
    ['age', 'increment', '{{params.id}}'],
    ['age', 'increment', id],
    ['limit', 'increment', 2],
    ['__proto__', 'set', 'x'],
  ] as const)('%s %s %j fails the run, and writes nothing', ([field, op, value]) => {
    expect(enter({ type: 'set_field', field, op, value }, context)).toEqual({
      type: 'fail',
      reason: 'invalid_value',
    });
  });
});

test('clear_field empties a field; tags are put on and taken off', () => {
  const go = { type: 'go', port: 'default' };
  const cleared = enter({ type: 'clear_field', field: 'age' }, context);
  expect(cleared).toMatchObject(go);
  expect(effectsOf(cleared)).toEqual([{ type: 'set_field', key: 'age', value: null }]);
  expect(enter({ type: 'add_tag', tag: ' VIP ' }, context)).toEqual({
    ...go,
    effects: [{ type: 'add_tag', name: 'VIP' }],
  });
  expect(enter({ type: 'remove_tag', tag: 'VIP' }, context)).toEqual({
    ...go,
    effects: [{ type: 'remove_tag', name: 'VIP' }],
  });
});

test.for<[tag: string, move: object]>([
  ['size {{params.size}}', { type: 'go', port: 'default', effects: [{ name: 'size L' }] }],
  ['{{params.none}}', { type: 'go', port: 'default' }],
  ['{{params.long}}', { type: 'fail', reason: 'invalid_value' }],
  ['a{{params.line}}b', { type: 'fail', reason: 'invalid_value' }],
])('the tag %s is that of the contact, or none', ([tag, move]) => {
  const given = aBlockContext({ run: { params: { size: 'L', long: 'x'.repeat(101), line: '\n' } } });
  for (const type of ['add_tag', 'remove_tag']) {
    const made = enter({ type, tag }, given);
    expect(made).toMatchObject(move);
    expect(effectsOf(made)).toHaveLength('effects' in move ? 1 : 0);
  }
});

test('close_conversation closes the conversation, and goes on', () => {
  const effects = [{ type: 'close_conversation' }];
  expect(enter({ type: 'close_conversation' }, context)).toEqual({ type: 'go', port: 'default', effects });
});

test('external_request makes its request, and leaves by the port and with the fields that come of it', () => {
  const request = { type: 'external_request', method: 'GET', url: 'https://a.example/' };
  expect(enter(request, context)).toEqual({ type: 'request' });
  const fields = [{ key: 'left', value: 3 }];
  expect(resume(request, context, { type: 'request_ended', port: 'success', fields })).toEqual({
    type: 'go',
    port: 'success',
    effects: [{ type: 'set_field', key: 'left', value: 3 }],
  });
  const failed = { type: 'request_ended', port: 'error', reason: 'status_404', fields: [] } as const;
  expect(resume(request, context, failed)).toEqual({ type: 'go', port: 'error', reason: 'status_404', effects: [] });
  expect(resume(request, context, { type: 'reply', seq: 1, text: 'hi' })).toBeUndefined();
});

test('goto goes on elsewhere, and end ends', () => {
  expect(enter({ type: 'goto', block: 'x' }, context)).toEqual({ type: 'go', port: 'default' });
  expect(enter({ type: 'end' }, context)).toEqual({ type: 'end' });
});

test.for([
  [{ timeout_ms: 999 }, false],
  [{ timeout_ms: 120_000 }, true],
  [{ timeout_ms: 120_001 }, false],
  [{ attempts: 0 }, false],
  [{ attempts: 6 }, false],
  [{ method: 'TRACE' }, false],
  [{ headers: { 'X Y': 'a' } }, false],
  [{ headers: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, 'a'])) }, true],
  [{ headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, 'a'])) }, false],
  [{ mapping: [{ path: '$.a', field: 'age', on_missing: 'clear' }] }, true],
  [{ mapping: Array.from({ length: 51 }, () => ({ path: '$.a', field: 'age' })) }, false],
  [{ body: 'x'.repeat(200_001) }, false],
] as const)('of an external_request, %j is taken: %j', ([fields, expected]) => {
  const request = { type: 'external_request', method: 'POST', url: 'https://a.example/' };
  expect(isBlock({ ...request, ...fields })).toBe(expected);
});

test.for([
  [{}, 'none'],
  [{ body: '{}' }, 'json'],
  [{ form: { a: '1' } }, 'form'],
  [{ body: 'x', body_type: 'raw' }, 'raw'],
  [{ body: 'x', body_type: 'none' }, 'none'],
] as const)('the body of %j is of type %s', ([fields, type]) => {
  const config = { id: 'call', type: 'external_request', method: 'POST', url: 'https://a.example/', ...fields };
  expect(isExternalRequest(config)).toBe(true);
  expect(bodyTypeOf(externalRequest.schema.parse(config))).toBe(type);
});

test.for([
  ['$status', { from: 'status' }],
  ['$body', { from: 'body' }],
  ['$headers.X-Left', { from: 'header', name: 'x-left' }],
  ['$.items[0].left', { from: 'json', path: { isSingular: true } }],
  ['items[0].left', { from: 'json', path: { isSingular: true } }],
  ['$..left', { from: 'json', path: { isSingular: false } }],
] as const)('the path %s of a mapping is read', ([path, source]) => {
  expect(readMappingPath(path)).toMatchObject({ ok: true, source });
});
