import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  isOfStorableSize,
  readNumber,
} from '../../../../src/shared/platform/json/decimals.ts';

describe('a sum', () => {
  test.for<[number, number, number | undefined]>([
    [0.1, 0.2, 0.3],
    [0.7, 0.1, 0.8],
    [1.005, 0.005, 1.01],
    [1.1, -1, 0.1],
    [4.35, 100, 104.35],
    [1e21, 1e21, 2e21],
    [1e21, 1, undefined],
    [1e-7, 2e-7, 3e-7],
    [-0, 0, 0],
    [-0.1, 0.1, 0],
    [9007199254740991, 1, 9007199254740992],
    [9007199254740991, 2, undefined],
    [1e15, 0.5, 1000000000000000.5],
    [Number.MAX_VALUE, Number.MAX_VALUE, undefined],
    [Number.MIN_VALUE, 0, Number.MIN_VALUE],
    [5, Number.MIN_VALUE, 5],
  ])('of %d and %d is %d', ([one, other, sum]) => {
    expect(addDecimals(one, other)).toBe(sum);
  });

  test('of a cent, a thousand times, is ten', () => {
    let sum: number | undefined = 0;
    for (let times = 0; times < 1_000; times += 1) sum = sum === undefined ? undefined : addDecimals(sum, 0.01);
    expect(sum).toBe(10);
  });

  test('of amounts in cents is what whole numbers say', () => {
    const cents = fc.integer({ min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(cents, cents, (one, other) => {
        expect(addDecimals(one / 100, other / 100)).toBe((one + other) / 100 + 0);
      }),
    );
  });
});

test('decimals are ordered by all of their digits', () => {
  const ordered = [
    '-1e400',
    '-12345678901234567891',
    '-12345678901234567890',
    '-1',
    '-0.5',
    '0',
    '1e-400',
    '0.1',
    '0.10000000000000001',
    '1',
    '9',
    '10',
    '12345678901234567890',
    '12345678901234567891',
    '1e21',
    '1e400',
  ];
  for (const [index, one] of ordered.entries())
    for (const [place, other] of ordered.entries())
      expect(Math.sign(compareDecimals(one, other)), `${one} ${other}`).toBe(Math.sign(index - place));
  for (const [one, other] of [
    ['-0', '0'],
    ['1.0', '1'],
    ['1e3', '1000.00'],
    ['0.001', '1E-3'],
    ['+7', '007'],
  ] as const)
    expect(compareDecimals(one, other), `${one} ${other}`).toBe(0);
});

test.for<[string, number | undefined]>([
  ['7', 7],
  ['9007199254740993', undefined],
  ['1234567890123456789', undefined],
  ['12345678901234567000', 12345678901234567000],
  ['1000000000000000000000', 1e21],
  ['4.3333333333333333', 4.333333333333333],
  ['0.10000000000000000555', 0.1],
  ['19.989999999999998', 19.99],
  ['9007199254740993.5', undefined],
  ['1e400', undefined],
  ['1e-400', undefined],
  ['0e400', 0],
])('a number field takes %s as %s', ([text, number]) => {
  expect(readNumber(text)).toBe(number);
});

test.for([
  ['1e399', true],
  ['1e400', false],
  ['1e-400', true],
  ['1e-401', false],
  ['1e131072', false],
  ['0e9999', true],
] as const)('%s can be stored: %s', ([text, isOne]) => {
  expect(isOfStorableSize(text)).toBe(isOne);
});

test('a decimal of 400 digits can be stored, and one of 401 cannot', () => {
  expect([400, 401].map((digits) => isOfStorableSize('9'.repeat(digits)))).toEqual([true, false]);
  expect([400, 401].map((digits) => isOfStorableSize(`0.${'9'.repeat(digits)}`))).toEqual([true, false]);
});
