import { expect, test } from 'vitest';
import { sayRelative } from '../../src/web/parts/say-relative.ts';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

test.for([
  [-59.4 * second, '59 seconds ago'],
  [-59.6 * second, '1 minute ago'],
  [-59.4 * minute, '59 minutes ago'],
  [-59.6 * minute, '1 hour ago'],
  [-23.4 * hour, '23 hours ago'],
  [-23.6 * hour, 'yesterday'],
  [-47 * hour, '2 days ago'],
  [59.6 * minute, 'in 1 hour'],
  [2 * day, 'in 2 days'],
  [0, 'now'],
] as const)('%i ms are told in the unit that they are rounded to: %s', ([ms, words]) => {
  expect(sayRelative(ms)).toBe(words);
});
