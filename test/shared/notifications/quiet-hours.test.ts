import { expect, test } from 'vitest';
import { quietMinutesLeft } from '../../../src/shared/notifications/quiet-hours.ts';

const night = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' };
const noon = { from: '12:00', to: '13:30', time_zone: 'UTC' };

test.for([
  ['at their first minute', night, '2026-01-10T21:00:00Z', 540],
  ['a minute before they begin', night, '2026-01-10T20:59:00Z', 0],
  ['after midnight', night, '2026-01-11T05:59:00Z', 1],
  ['at their end', night, '2026-01-11T06:00:00Z', 0],
  ['an hour earlier in summer', night, '2026-07-10T20:00:00Z', 540],
  ['within a day', noon, '2026-01-10T13:00:00Z', 30],
  ['before those within a day', noon, '2026-01-10T11:59:00Z', 0],
] as const)('quiet hours are known by the clock of their time zone: %s', ([, hours, at, left]) => {
  expect(quietMinutesLeft(hours, new Date(at))).toBe(left);
});
