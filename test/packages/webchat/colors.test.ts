import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrastOf, inkOn, legibleOn } from '../../../packages/webchat/src/colors.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);

test('the contrast of black and white is 21, and that of a color with itself 1', () => {
  expect(contrastOf('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrastOf('#4f46e5', '#4f46e5')).toBe(1);
});

test('text on every configured color, and in it on light and dark, has a contrast of at least 4.5', () => {
  fc.assert(
    fc.property(color, (chosen) => {
      expect(contrastOf(chosen, inkOn(chosen))).toBeGreaterThanOrEqual(4.5);
      for (const ground of ['#ffffff', '#17191e']) {
        expect(contrastOf(legibleOn(chosen, ground), ground)).toBeGreaterThanOrEqual(4.5);
      }
    }),
  );
});

test('a color that can be read already stays as it is', () => {
  expect(legibleOn('#4f46e5', '#ffffff')).toBe('#4f46e5');
  expect(inkOn('#4f46e5')).toBe('#ffffff');
  expect(inkOn('#ffb703')).toBe('#14161a');
});
