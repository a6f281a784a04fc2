import { expect, test } from 'vitest';
import { readDuration, writeDuration } from '../../../src/web/pages/flows/panel/controls/duration.ts';

test.for([
  ['PT2H', 2, 'hours', 'PT2H'],
  ['PT120M', 120, 'minutes', 'PT120M'],
  ['P1D', 1, 'days', 'P1D'],
  ['P2W', 2, 'weeks', 'P2W'],
  ['P1DT2H', 26, 'hours', 'PT26H'],
  ['PT1M30S', 90, 'seconds', 'PT90S'],
  ['PT0S', 0, 'seconds', 'PT0S'],
  ['P400D', 400, 'days', 'P400D'],
] as const)('the duration %s is shown as %i %s', ([iso, amount, unit, written]) => {
  expect(readDuration(iso)).toEqual({ amount, unit });
  expect(writeDuration({ amount, unit })).toBe(written);
});

test('a text that is no duration of a flow is shown as none', () => {
  for (const text of ['', 'P', 'PT', '2 hours', 'P1Y', 'PT1.5H', '{{x}}']) expect(readDuration(text)).toBeUndefined();
});
