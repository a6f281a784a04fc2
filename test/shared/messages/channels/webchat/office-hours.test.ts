import { describe, expect, test } from 'vitest';
import {
  findOfficeHours,
  officeAt,
  type OfficeHours,
} from '../../../../../src/shared/messages/channels/webchat/office-hours.ts';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const daily = { days: weekdays, from: '09:00', to: '17:00' };
const late = { days: ['friday'], from: '22:00', to: '02:00' };

const aWeek = (windows: readonly object[], zone: string): OfficeHours => {
  const hours = findOfficeHours({ time_zone: zone, windows });
  if (!hours) throw new TypeError('these are no office hours');
  return hours;
};

describe('an office', () => {
  test.for([
    // Each end of a day, and a weekend.
    ['2026-03-04T07:59:59Z', [daily], 'Europe/Berlin', false, '2026-03-04T08:00:00Z'],
    ['2026-03-04T08:00:00Z', [daily], 'Europe/Berlin', true, '2026-03-04T16:00:00Z'],
    ['2026-03-04T15:59:59Z', [daily], 'Europe/Berlin', true, '2026-03-04T16:00:00Z'],
    ['2026-03-04T16:00:00Z', [daily], 'Europe/Berlin', false, '2026-03-05T08:00:00Z'],
    ['2026-03-06T16:00:00Z', [daily], 'Europe/Berlin', false, '2026-03-09T08:00:00Z'],
    // The day is that of the zone: it is Monday in Auckland, and Sunday in Honolulu.
    ['2026-03-08T21:00:00Z', [daily], 'Pacific/Auckland', true, '2026-03-09T04:00:00Z'],
    ['2026-03-08T21:00:00Z', [daily], 'Pacific/Honolulu', false, '2026-03-09T19:00:00Z'],
    // Over midnight the day is that on which it opens.
    ['2026-03-06T23:59:59Z', [late], 'UTC', true, '2026-03-07T02:00:00Z'],
    ['2026-03-07T01:59:59Z', [late], 'UTC', true, '2026-03-07T02:00:00Z'],
    ['2026-03-07T02:00:00Z', [late], 'UTC', false, '2026-03-13T22:00:00Z'],
    ['2026-03-06T01:00:00Z', [late], 'UTC', false, '2026-03-06T22:00:00Z'],
    // Two zones west, the same night is still the evening before.
    ['2026-03-07T05:00:00Z', [late], 'America/New_York', true, '2026-03-07T07:00:00Z'],
    // A break at noon, and other hours on Saturday.
    [
      '2026-03-04T12:30:00Z',
      [
        { ...daily, to: '12:00' },
        { ...daily, from: '13:00' },
      ],
      'UTC',
      false,
      '2026-03-04T13:00:00Z',
    ],
    [
      '2026-03-07T10:00:00Z',
      [daily, { days: ['saturday'], from: '10:00', to: '14:00' }],
      'UTC',
      true,
      '2026-03-07T14:00:00Z',
    ],
    // Clocks go forward in Berlin on March 29, and back on October 25: the hours are those of the clock.
    ['2026-03-27T08:30:00Z', [{ ...daily, days: undefined }], 'Europe/Berlin', true, '2026-03-27T16:00:00Z'],
    ['2026-03-29T07:30:00Z', [{ ...daily, days: undefined }], 'Europe/Berlin', true, '2026-03-29T15:00:00Z'],
    ['2026-03-29T06:59:59Z', [{ ...daily, days: undefined }], 'Europe/Berlin', false, '2026-03-29T07:00:00Z'],
    ['2026-10-25T07:59:59Z', [{ ...daily, days: undefined }], 'Europe/Berlin', false, '2026-10-25T08:00:00Z'],
    // A night that is an hour shorter, and one that is an hour longer.
    ['2026-03-28T22:00:00Z', [{ from: '22:00', to: '06:00' }], 'Europe/Berlin', true, '2026-03-29T04:00:00Z'],
    ['2026-10-24T21:00:00Z', [{ from: '22:00', to: '06:00' }], 'Europe/Berlin', true, '2026-10-25T05:00:00Z'],
    // Opens in the hour that is not there; is only there in it.
    ['2026-03-29T00:59:59Z', [{ from: '02:30', to: '04:00' }], 'Europe/Berlin', false, '2026-03-29T01:00:00Z'],
    ['2026-03-29T00:00:00Z', [{ from: '02:15', to: '02:45' }], 'Europe/Berlin', false, '2026-03-30T00:15:00Z'],
  ] as const)('at %s, with %j in %s, is open: %s, until %s at least', ([at, windows, zone, isOpen, nextLook]) => {
    expect(officeAt(aWeek(windows, zone), new Date(at))).toEqual({ isOpen, nextLook: new Date(nextLook) });
  });

  test('of whole days is open at any time', () => {
    const hours = aWeek([{}], 'Europe/Berlin');
    for (let hour = 0; hour < 24 * 8; hour += 1)
      expect(officeAt(hours, new Date(Date.UTC(2026, 2, 25, hour)))).toMatchObject({ isOpen: true });
  });

  test('stays as it is until the time that is told, in any zone and over every change of the clock', () => {
    const weeks = [
      [daily, late],
      [late, { days: ['sunday'], from: '01:30', to: '03:30' }],
      [{ from: '18:00', to: '03:00' }],
    ];
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu'])
      for (const start of [Date.UTC(2026, 2, 27), Date.UTC(2026, 3, 3), Date.UTC(2026, 9, 23), Date.UTC(2026, 9, 30)])
        for (const windows of weeks) {
          const hours = aWeek(windows, zone);
          let said = officeAt(hours, new Date(start));
          for (let at = start; at < start + 4 * 24 * 3_600_000; at += 15 * 60_000) {
            const now = officeAt(hours, new Date(at));
            const isAsSaid = at >= said.nextLook.getTime() || now.isOpen === said.isOpen;
            expect({ zone, at, isAsSaid }).toMatchObject({ isAsSaid: true });
            expect(now.nextLook.getTime()).toBeGreaterThan(at);
            said = now;
          }
        }
  });

  test('has no hours where a config has none that can be read', () => {
    for (const stored of [undefined, null, {}, { time_zone: 'Mars/Base', windows: [daily] }])
      expect(findOfficeHours(stored)).toBeUndefined();
  });
});
