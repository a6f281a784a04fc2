import { describe, expect, test } from 'vitest';
import type { FieldDefinition, FieldType } from '../../../src/shared/custom-fields/values.ts';
import { mapResponse, type Mapping as WholeMapping } from '../../../src/shared/external-requests/map-response.ts';
import { createSource } from '../../../src/shared/external-requests/response-source.ts';
import { cpuMsOf } from '../../helpers/cpu-time.ts';

type Mapping = Omit<WholeMapping, 'on_missing'> & Partial<WholeMapping>;

const field = (key: string, type: FieldType): [string, FieldDefinition] => [
  key,
  { key, name: key, type, options: null, default: null },
];
const fields = new Map(
  (['text', 'number', 'boolean', 'date', 'datetime', 'list', 'json'] as const).map((type) => field(type, type)),
);

type Given = { status?: number; headers?: Record<string, string | string[]>; body?: unknown; v?: number };

const map = (mappings: Mapping[], { status = 200, headers = {}, body = document, v = 2 }: Given = {}) =>
  mapResponse(
    mappings.map((mapping) => ({ on_missing: 'keep', ...mapping })),
    createSource({ status, headers, body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)) }, v),
    {
      fields,
      timeZone: 'UTC',
      country: null,
      v,
      isSuccess: status < 300,
      holdsSecret: (text) => text.includes('sk_live'),
    },
  );
const mapOne = (mapping: Mapping, given?: Given) => map([mapping], given).fields[0];

const document = {
  items: [
    { id: 'a', left: '7', sold: true },
    { id: 'b', left: 0 },
  ],
  none: null,
  empty: [],
  when: '2026-03-29T10:00:00+02:00',
  ada: { name: 'Ada' },
};

test.for([
  ['$.items[0].left', 'number', 7],
  ['items[0].left', 'number', 7],
  ['items.0.left', 'number', 7],
  ['$.items.0.left', 'number', 7],
  ['items.1', 'json', { id: 'b', left: 0 }],
  ['$.items[1].left', 'text', '0'],
  ['$.items[0].sold', 'boolean', true],
  ['$.when', 'datetime', '2026-03-29T08:00:00.000Z'],
  ['$.when', 'date', '2026-03-29'],
  ['$.items[0].id', 'list', ['a']],
  ['$.items[*].id', 'list', ['a', 'b']],
  ['$..id', 'list', ['a', 'b']],
  ['$.items[*].id', 'text', 'a'],
  ['$.items[?@.left == 0].id', 'text', 'b'],
  ['$.items[*].left', 'json', ['7', 0]],
  ['$.ada', 'json', { name: 'Ada' }],
  ['$.ada', 'text', '{"name":"Ada"}'],
  ['$.empty', 'json', []],
  ['$', 'json', document],
  ['$body', 'json', document],
  ['$body', 'text', JSON.stringify(document)],
  ['$status', 'number', 200],
  ['$status', 'text', '200'],
  ['$headers.X-Left', 'number', 3],
  ['$headers.x-many', 'text', 'a, b'],
  ['$.ada.name', 'first_name', 'Ada'],
] as const)('%s into %s is %o', ([path, key, value]) => {
  const headers = { 'x-left': '3', 'x-many': ['a', 'b'] };
  expect(mapOne({ path, field: key }, { headers })).toEqual({
    path,
    field: key,
    type: fields.has(key) ? key : 'text',
    outcome: 'set',
    value,
  });
});

test.for([
  ['$.id', 'text', '"1234567890123456789"'],
  ['$.id', 'json', '1234567890123456789'],
  ['$.ids', 'list', '["1234567890123456789","1234567890123456788"]'],
  ['$.ids[*]', 'list', '["1234567890123456789","1234567890123456788"]'],
  ['$..id', 'json', '[1234567890123456789,1]'],
  ['$.ids[?@ > 7]', 'text', '"1234567890123456789"'],
  ['$.of[?@.rating > 4].id', 'number', '1'],
  ['$.of[0].rating', 'text', '"4.3333333333333333"'],
  ['$.of[0].rating', 'number', '4.333333333333333'],
] as const)('of an answer with long numbers %s into %s is %s', ([path, key, value]) => {
  const body = `{"id":1234567890123456789,"ids":[1234567890123456789,1234567890123456788],"of":[{"rating":4.3333333333333333,"id":1}]}`;
  const mapped = mapOne({ path, field: key }, { body: Buffer.from(body) });
  expect(mapped).toMatchObject({ outcome: 'set' });
  expect(JSON.stringify(mapped?.outcome === 'set' && mapped.value)).toBe(value);
});

describe('what is not there, or null,', () => {
  test.for(['$.items[9].left', '$.none', '$.none.left', '$..nothing', '$headers.x-none', '$headers.constructor'])(
    '%s is kept, cleared or an error, as the mapping says',
    (path) => {
      const of = (on_missing: WholeMapping['on_missing']) => mapOne({ path, field: 'text', on_missing });
      expect([of('keep'), of('clear'), of('error')]).toMatchObject([
        { outcome: 'kept' },
        { outcome: 'cleared' },
        { outcome: 'failed', problem: 'is not in the response' },
      ]);
    },
  );
});

describe('a mapping fails, and says why,', () => {
  test.for([
    ['of a value of another type', { path: '$.ada', field: 'number' }, {}, 'must be a number'],
    ['into a field that is not there', { path: '$.ada', field: 'gone' }, {}, 'is not a field of the account'],
    ['by a path that is none', { path: '$.a[', field: 'text' }, {}, 'is not a JSONPath'],
    ['into a phone number that is none', { path: '$.ada.name', field: 'phone' }, {}, ''],
    [
      'of nesting without end',
      { path: '$..a', field: 'text' },
      { body: Buffer.from(`${'['.repeat(90_000)}${']'.repeat(90_000)}`) },
      'nested too deeply',
    ],
    [
      'of more than a list takes',
      { path: '$[*]', field: 'list' },
      { body: Array(101).fill('a') },
      'must be a list of up to 100 texts: it has more items',
    ],
    [
      'of one null in a list',
      { path: '$[*]', field: 'list' },
      { body: ['a', 'b', null] },
      'must be a list of texts: item 3 is null',
    ],
    [
      'of a long item of a list',
      { path: '$', field: 'list' },
      { body: ['a', 'b'.repeat(501)] },
      'must be a list of texts: item 2 is longer than 500 characters',
    ],
    [
      'of a time that is none',
      { path: '$.a', field: 'datetime', read_as: 'epoch_seconds' },
      { body: { a: 'soon' } },
      'must be seconds since 1970',
    ],
    ['of more than a text takes', { path: '$.a', field: 'text' }, { body: { a: 'a'.repeat(5_001) } }, 'must be a text'],
    [
      'of a number with more digits than a number field has',
      { path: '$.a', field: 'number' },
      { body: Buffer.from('{"a": 1234567890123456789}') },
      'has more digits than a number can hold: only a text keeps them all',
    ],
    [
      'of a credential that comes back',
      { path: '$.a', field: 'text' },
      { body: { a: 'Bearer sk_live' } },
      'would hold a credential',
    ],
  ] as const)('%s', ([, mapping, given, problem]) => {
    const { ok, fields } = map([{ path: '$status', field: 'number' }, mapping], given);
    expect(ok).toBe(false);
    expect(fields).toMatchObject([
      { outcome: 'set' },
      { outcome: 'failed', problem: expect.stringContaining(problem) },
    ]);
  });
});

describe('an answer without JSON', () => {
  const html = { headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>') };
  const path = '$.a';

  test.for([
    ['that is empty', { status: 204, body: Buffer.of() }, 'needs a response with a body'],
    ['that is HTML', html, 'needs a response that is JSON (this is text/html)'],
    ['that is cut', { body: Buffer.from('{"a": 1') }, 'needs a response that is JSON'],
  ] as const)('%s is missing, so that on_missing decides, and was an error in the first meaning', ([, given, why]) => {
    const of = (on_missing: WholeMapping['on_missing'], v = 2) =>
      map([{ path, field: 'text', on_missing }], { ...given, v });
    const failed = { ok: false, fields: [{ outcome: 'failed', problem: why }] };
    expect(of('keep')).toMatchObject({ ok: true, fields: [{ outcome: 'kept' }] });
    expect(of('clear')).toMatchObject({ ok: true, fields: [{ outcome: 'cleared' }] });
    expect(of('error')).toMatchObject(failed);
    expect(of('keep', 1)).toMatchObject(failed);
  });

  test('has its body as text, unless it is empty, and a list or JSON field finds none in it', () => {
    expect(mapOne({ path: '$body', field: 'text' }, html)).toMatchObject({ value: '<p>' });
    expect(mapOne({ path: '$body', field: 'text' }, { body: Buffer.of() })).toMatchObject({ outcome: 'kept' });
    expect(mapOne({ path: '$body', field: 'json' }, html)).toMatchObject({ outcome: 'kept' });
  });

  test('of an error writes what it can, also beside a mapping that fails', () => {
    const mappings = [
      { path: '$status', field: 'number' },
      { path: '$headers.retry-after', field: 'text' },
      { path, field: 'list', on_missing: 'error' },
    ] as const;
    const given = { ...html, status: 503, headers: { 'retry-after': '7' } };
    expect(map([...mappings], given)).toMatchObject({
      ok: true,
      fields: [{ value: 503 }, { value: '7' }, { outcome: 'failed' }],
    });
    expect(map([...mappings], { ...given, v: 1 })).toMatchObject({ ok: false });
    expect(map([...mappings], { ...given, status: 200 })).toMatchObject({ ok: false });
  });
});

test.for([
  ['epoch_seconds', 1774778400, 'datetime', '2026-03-29T10:00:00.000Z'],
  ['epoch_seconds', '1774778400.25', 'datetime', '2026-03-29T10:00:00.250Z'],
  ['epoch_seconds', -1, 'datetime', '1969-12-31T23:59:59.000Z'],
  ['epoch_seconds', 1774778400, 'date', '2026-03-29'],
  ['epoch_seconds', 0, 'date', '1970-01-01'],
  ['epoch_seconds', 1774778400000, 'datetime', undefined],
  ['epoch_seconds', '2026-03-29', 'datetime', undefined],
  ['epoch_milliseconds', 1774778400000, 'datetime', '2026-03-29T10:00:00.000Z'],
  ['epoch_milliseconds', '1774778400000', 'date', '2026-03-29'],
  ['epoch_milliseconds', true, 'datetime', undefined],
  ['epoch_milliseconds', [1774778400000, 1], 'datetime', undefined],
  ['rfc2822', 'Sun, 29 Mar 2026 10:00:00 +0200', 'datetime', '2026-03-29T08:00:00.000Z'],
  ['rfc2822', 'Sun, 29 Mar 2026 10:00:00 GMT', 'datetime', '2026-03-29T10:00:00.000Z'],
  ['rfc2822', '9 Mar 2026 10:00 -0730 (PDT)', 'datetime', '2026-03-09T17:30:00.000Z'],
  ['rfc2822', 'sun, 29 mar 2026 10:00:00 edt', 'datetime', '2026-03-29T14:00:00.000Z'],
  ['rfc2822', 'Sun, 29 Mar 2026 10:00:00 +0200', 'date', '2026-03-29'],
  ['rfc2822', 'Sun, 30 Feb 2026 10:00:00 +0200', 'datetime', undefined],
  ['rfc2822', '29 Mar 2026 24:00:00 GMT', 'datetime', undefined],
  ['rfc2822', '29 Mai 2026 10:00:00 GMT', 'datetime', undefined],
  ['rfc2822', '29 Mar 2026 10:00:00 CEST', 'datetime', undefined],
  ['rfc2822', 1774778400, 'datetime', undefined],
] as const)('read as %s, %j in a %s field is %s', ([readAs, a, key, value]) => {
  const mapped = mapOne({ path: '$.a', field: key, read_as: readAs }, { body: { a } });
  expect(mapped).toMatchObject(value === undefined ? { outcome: 'failed' } : { outcome: 'set', value });
});

test.for([
  ['phone', '+49 170 1234567', '+491701234567'],
  ['phone', '0049 (170) 123-4567', '+491701234567'],
  ['phone', 491701234567, undefined],
  ['phone', '0170 1234567', undefined],
  ['language', 'pt_BR', 'pt-BR'],
  ['language', 'de_de', 'de-DE'],
  ['language', 'german!', undefined],
] as const)('a %s that is written as %s is read as %s', ([key, a, value]) => {
  const mapped = mapOne({ path: '$.a', field: key }, { body: { a } });
  expect(mapped).toMatchObject(value === undefined ? { outcome: 'failed' } : { outcome: 'set', value });
});

test('a response that no mapping looks into need not be JSON', () => {
  const body = Buffer.from('<p>fine</p>');
  expect(
    map(
      [
        { path: '$status', field: 'number' },
        { path: '$body', field: 'text' },
      ],
      { body },
    ),
  ).toMatchObject({
    ok: true,
    fields: [{ value: 200 }, { value: '<p>fine</p>' }],
  });
  expect(map([], { body })).toEqual({ ok: true, fields: [] });
});

test('a body is read in its character set, UTF-8 where it names none that is known', () => {
  const latin1 = Buffer.from('"Zoë"', 'latin1');
  const of = (contentType: string, body: Buffer) =>
    mapOne({ path: '$', field: 'text' }, { headers: { 'content-type': contentType }, body });
  expect(of('application/json; charset=ISO-8859-1', latin1)).toMatchObject({ value: 'Zoë' });
  expect(of('application/json; charset=nonsense', Buffer.from('\ufeff"Zoë"'))).toMatchObject({ value: 'Zoë' });
});

test('keys that name a prototype are keys, and write nowhere else', () => {
  const body = Buffer.from('{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}}');
  const mapped = map(
    [
      { path: '$.__proto__', field: 'json' },
      { path: '$.constructor.prototype.polluted', field: 'text' },
    ],
    { body },
  );
  expect(mapped.fields).toMatchObject([{ outcome: 'set' }, { value: 'yes' }]);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('100 KB take less than 5 ms', () => {
  const items = Array.from({ length: 900 }, (_, id) => ({ id, name: 'n'.repeat(80), left: { now: id } }));
  const body = Buffer.from(JSON.stringify({ items }));
  expect(body.length).toBeGreaterThan(100_000);
  const mappings = [0, 1, 2, 3, 4].map((at) => ({ path: `$.items[${at * 200}].left.now`, field: 'number' }));
  const took = Array.from({ length: 80 }, () => cpuMsOf(() => map(mappings, { body })));
  // The best of them: the first ones are not compiled yet.
  expect(Math.min(...took)).toBeLessThan(5);
});
