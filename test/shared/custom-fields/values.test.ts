import { describe, expect, test } from 'vitest';
import {
  checkValue,
  coerceValue,
  fieldKey,
  fieldTypes,
  profileFields,
  reservedKeys,
  typeOfValue,
  valueLimits,
  type FieldType,
} from '../../../src/shared/custom-fields/values.ts';
import { parseJson } from '../../../src/shared/platform/json/parse-json.ts';
import { aField } from '../../helpers/block-context.ts';

const refused = Symbol('refused');
const zone = 'Europe/Berlin';

const long = parseJson('1234567890123456789');

const outcome = (checked: ReturnType<typeof checkValue>): unknown => (checked.ok ? checked.value : refused);

describe('what the API takes', () => {
  test.for<[FieldType, unknown, unknown]>([
    ['text', 'blue', 'blue'],
    ['text', '', ''],
    ['text', 7, refused],
    ['text', 'x'.repeat(valueLimits.text), 'x'.repeat(valueLimits.text)],
    ['text', 'x'.repeat(valueLimits.text + 1), refused],
    ['text', 'a\0b', refused],
    ['text', 'half \ud83d', refused],
    ['number', 7.5, 7.5],
    ['number', '7', refused],
    ['number', Number.NaN, refused],
    ['number', Infinity, refused],
    ['boolean', false, false],
    ['boolean', 'true', refused],
    ['date', '2024-02-29', '2024-02-29'],
    ['date', '2026-02-29', refused],
    ['date', '2026-2-1', refused],
    ['date', '2026-02-01T00:00:00Z', refused],
    ['datetime', '2026-03-29T10:00:00+02:00', '2026-03-29T08:00:00.000Z'],
    ['datetime', '2026-03-29T10:00Z', '2026-03-29T10:00:00.000Z'],
    ['datetime', '2026-03-29T10:00:00', '2026-03-29T08:00:00.000Z'],
    ['datetime', ' 2026-03-29T10:00:00Z', '2026-03-29T10:00:00.000Z'],
    ['datetime', '2026-03-29', refused],
    ['datetime', '2026-02-31T10:00:00Z', refused],
    ['datetime', '2026-03-29T25:00:00Z', refused],
    ['list', ['a', 'b'], ['a', 'b']],
    ['list', [], []],
    ['list', ['a', 1], refused],
    ['list', 'a', refused],
    ['list', Array.from({ length: valueLimits.items + 1 }, String), refused],
    ['json', { a: [1, null, { b: true }] }, { a: [1, null, { b: true }] }],
    ['json', null, refused],
    ['json', { a: undefined }, refused],
    ['json', { a: 'x\0' }, refused],
    ['json', JSON.parse('{"__proto__": 1}'), refused],
    ['json', new Date(), refused],
    ['json', 'x'.repeat(valueLimits.json), refused],
  ])('%s: %j', ([type, value, expected]) => {
    expect(outcome(checkValue(aField('key', type), value, zone))).toEqual(expected);
  });

  test('only its options are taken for a text or a list that has some', () => {
    const size = aField('size', 'text', { options: ['S', 'M'] });
    expect(checkValue(size, 'M', zone)).toEqual({ ok: true, value: 'M' });
    expect(checkValue(size, 'm', zone)).toEqual({ ok: false, problem: 'must be one of its options' });
    const sizes = aField('sizes', 'list', { options: ['S', 'M'] });
    expect(checkValue(sizes, ['S', 'M'], zone).ok).toBe(true);
    expect(checkValue(sizes, ['S', 'L'], zone).ok).toBe(false);
  });

  test('JSON that is nested too deeply is refused, and does not overflow the stack', () => {
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(checkValue(aField('key', 'json'), deep, zone).ok).toBe(false);
    expect(coerceValue(aField('key', 'text'), deep, zone).ok).toBe(false);
    const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(checkValue(aField('key', 'json'), nested(50), zone).ok).toBe(true);
    expect(checkValue(aField('key', 'json'), nested(52), zone).ok).toBe(false);
  });
});

describe('what people and other services mean', () => {
  test.for<[FieldType, unknown, unknown]>([
    ['text', 7, '7'],
    ['text', true, 'true'],
    ['text', { a: 1 }, '{"a":1}'],
    ['text', null, refused],
    ['number', ' 7 ', 7],
    ['number', '-1.5e3', -1500],
    ['number', '', refused],
    ['number', '0x10', refused],
    ['number', 'Infinity', refused],
    ['number', '1e999', refused],
    ['number', true, refused],
    ['boolean', 'True', true],
    ['boolean', 0, false],
    ['boolean', 'no', refused],
    ['date', '2026-03-29T23:30:00-05:00', '2026-03-30'],
    ['date', '2026-03-29T23:30:00', '2026-03-29'],
    ['date', ' 2026-03-29 ', '2026-03-29'],
    ['date', '29 March', refused],
    ['datetime', '2026-03-29', '2026-03-28T23:00:00.000Z'],
    ['datetime', '2026-03-29 10:00', '2026-03-29T08:00:00.000Z'],
    ['datetime', '2026-03-29T10:00:00+0200', '2026-03-29T08:00:00.000Z'],
    ['list', 'a', ['a']],
    ['list', [1, true, 'a'], ['1', 'true', 'a']],
    ['list', [null], refused],
    ['json', [1], [1]],
    ['json', undefined, refused],
    ['text', long, '1234567890123456789'],
    ['list', [long, 7], ['1234567890123456789', '7']],
    ['number', '4.3333333333333333', 4.333333333333333],
    ['boolean', long, refused],
    ['date', long, refused],
  ])('%s: %j', ([type, value, expected]) => {
    expect(outcome(coerceValue(aField('key', type), value, zone))).toEqual(expected);
  });
});

test('a text is no number for the API, and the reason says so', () => {
  expect(checkValue(aField('size', 'number'), '7', zone)).toEqual({ ok: false, problem: 'must be a number' });
});

describe('a number that a double would change', () => {
  test.for([long, '1234567890123456789', '-9007199254740993', '1e400'])(
    'is no value of a number field: %s',
    (value) => {
      const problem = 'has more digits than a number can hold: only a text keeps them all';
      expect(coerceValue(aField('size', 'number'), value, zone)).toEqual({ ok: false, problem });
    },
  );

  test('is refused for texts by the API, and keeps its digits in JSON', () => {
    expect(outcome(checkValue(aField('key', 'text'), long, zone))).toBe(refused);
    expect(outcome(checkValue(aField('key', 'list'), [long], zone))).toBe(refused);
    expect(JSON.stringify(outcome(checkValue(aField('key', 'json'), [long], zone)))).toBe('[1234567890123456789]');
    expect(typeOfValue(long)).toBe('number');
  });
});

test.for([
  ['a', 'text'],
  ['2026-03-29', 'text'],
  [1, 'number'],
  [false, 'boolean'],
  [['a'], 'list'],
  [[1], 'json'],
  [{ a: 1 }, 'json'],
] as const)('a key that is first used with %j is of type %s', ([value, type]) => {
  expect(typeOfValue(typeof value === 'object' ? structuredClone<never>(value as never) : value)).toBe(type);
});

test.for(fieldTypes)('null and nothing are no value of type %s', (type) => {
  for (const nothing of [null, undefined]) {
    expect(checkValue(aField('key', type), nothing, zone).ok).toBe(false);
    expect(coerceValue(aField('key', type), nothing, zone).ok).toBe(false);
  }
});

test('names of the system are reserved, and keys are small letters, digits and _', () => {
  for (const key of [...profileFields, 'id', 'params', 'credential', 'tags', 'updated_at'])
    expect(reservedKeys.has(key)).toBe(true);
  expect(reservedKeys.has('')).toBe(false);
  expect(['size', 'a_1', 'x'.repeat(64)].every((key) => fieldKey.test(key))).toBe(true);
  expect(['1a', 'Size', 'a-b', '__proto__', '', 'x'.repeat(65)].some((key) => fieldKey.test(key))).toBe(false);
});
