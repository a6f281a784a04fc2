import { expect, test } from 'vitest';
import { createPoints, type AskedTimes } from '../../../src/shared/statistics/points.ts';

const now = new Date('2026-11-23T10:20:00Z');

const pointsOf = (asked: Partial<AskedTimes>) => {
  const { starts, end } = createPoints({ interval: 'hour', timeZone: 'UTC', ...asked }, now);
  return [...starts, end].map((time) => time.toISOString().replace(':00.000Z', 'Z'));
};

test('hours reach back a day and days thirty, up to the end of the present one', () => {
  expect(pointsOf({})).toHaveLength(26);
  expect(pointsOf({}).at(0)).toBe('2026-11-22T10:00Z');
  expect(pointsOf({}).at(-1)).toBe('2026-11-23T11:00Z');
  expect(pointsOf({ interval: 'day' })).toHaveLength(32);
  expect(pointsOf({ interval: 'day' }).at(-1)).toBe('2026-11-24T00:00Z');
});

test('what is asked for is rounded to whole hours and days outwards, and ends at the present', () => {
  const [from, to] = [new Date('2026-11-23T06:59:59Z'), new Date('2026-11-23T08:00:00Z')];
  expect(pointsOf({ from, to })).toEqual(['2026-11-23T06:00Z', '2026-11-23T07:00Z', '2026-11-23T08:00Z']);
  expect(pointsOf({ from: new Date('2026-11-23T10:00:00Z'), to: new Date('9999-01-01') })).toEqual([
    '2026-11-23T10:00Z',
    '2026-11-23T11:00Z',
  ]);
});

test('days begin on the clock of the time zone, also where it changes and where it is half an hour off', () => {
  const days = (timeZone: string, from: string, to: string) =>
    pointsOf({ interval: 'day', timeZone, from: new Date(from), to: new Date(to) });
  expect(days('Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T23:00:00Z')).toEqual([
    '2026-10-23T22:00Z',
    '2026-10-24T22:00Z',
    '2026-10-25T23:00Z',
  ]);
  // In Beirut the clock goes from midnight to one: that day begins at one.
  expect(days('Asia/Beirut', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
    '2026-03-27T22:00Z',
    '2026-03-28T22:00Z',
    '2026-03-29T21:00Z',
  ]);
  expect(days('Asia/Kolkata', '2026-11-20T00:00:00Z', '2026-11-20T01:00:00Z')).toEqual([
    '2026-11-19T18:30Z',
    '2026-11-20T18:30Z',
  ]);
});

test('as far back as may be asked are 31 days of hours, and 184 days', () => {
  expect(pointsOf({ from: new Date('2026-10-23T10:20:00Z') })).toHaveLength(31 * 24 + 2);
  expect(pointsOf({ from: new Date('2026-05-23T10:20:00Z'), interval: 'day' })).toHaveLength(186);
});

test.for([
  ['nothing', { from: now }],
  ['a time that is still to come', { from: new Date('2026-12-01'), to: new Date('2026-12-02') }],
  ['times in a wrong order', { from: new Date('2026-11-22'), to: new Date('2026-11-21') }],
  ['more than 31 days of hours', { from: new Date('2026-10-23T10:19:59Z') }],
  ['more than 184 days', { from: new Date('2026-05-23T10:19:59Z'), interval: 'day' }],
  ['all time', { from: new Date('0001-01-01'), interval: 'day' }],
] as const)('%s is refused', ([, asked]) => {
  expect(() => pointsOf(asked)).toThrow('The request is not valid.');
});

test('the period before has as many points, and ends as far into its last one as the present one has got', () => {
  const beforeOf = (asked: Partial<AskedTimes>) => {
    const { before } = createPoints({ interval: 'hour', timeZone: 'UTC', ...asked }, now);
    return [before.from, before.until].map((time) => time.toISOString().replace(':00.000Z', 'Z'));
  };
  expect(beforeOf({ from: new Date('2026-11-23T08:00:00Z') })).toEqual(['2026-11-23T05:00Z', '2026-11-23T08:00Z']);
  // It is ten past ten: eleven hours of the present day are over or have begun.
  const days = { interval: 'day', from: new Date('2026-11-22T00:00:00Z') } as const;
  expect(beforeOf(days)).toEqual(['2026-11-20T00:00Z', '2026-11-21T11:00Z']);
  expect(beforeOf({ ...days, to: new Date('2026-11-23T00:00:00Z') })).toEqual([
    '2026-11-21T00:00Z',
    '2026-11-22T00:00Z',
  ]);
  // The day before in Berlin has 25 hours, of which the first ten and a half are compared, as whole hours.
  const berlin = { interval: 'day', timeZone: 'Europe/Berlin', from: new Date('2026-10-26T00:00:00Z') } as const;
  expect(createPoints({ ...berlin }, new Date('2026-10-26T09:20:00Z')).before).toEqual({
    from: new Date('2026-10-24T22:00:00Z'),
    until: new Date('2026-10-25T09:00:00Z'),
  });
});
