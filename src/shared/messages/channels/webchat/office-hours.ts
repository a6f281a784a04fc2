import { z } from 'zod';
import { openingsFrom, windowSchema } from '../../../flows/blocks/windows.ts';
import { isTimeZone } from '../../../times/time-zone.ts';

/** The most windows of a channel: each day may have a break. */
export const windowsAtMost = 14;

/** When somebody is there to answer. */
export const officeHoursSchema = z
  .strictObject({
    time_zone: z.string().max(64).refine(isTimeZone, { error: 'must be an IANA time zone such as "Europe/Berlin"' }),
    windows: z
      .array(windowSchema.meta({ description: 'On which days, and from when to when, by the clock of `time_zone`.' }))
      .min(1)
      .max(windowsAtMost),
  })
  .meta({
    description: 'Outside of these the chat shows its text `away`; null for a chat that never does.',
    example: {
      time_zone: 'Europe/Berlin',
      windows: [{ days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], from: '09:00', to: '17:00' }],
    },
  });

export type OfficeHours = z.output<typeof officeHoursSchema>;

/** The office hours that a config has; undefined where it has none. */
export const findOfficeHours = (stored: unknown): OfficeHours | undefined => officeHoursSchema.safeParse(stored).data;

/** Nothing is planned further ahead. */
const lookAgainMs = 7 * 24 * 3_600_000;

/** Whether an office is open at a time, and until when that surely stays so. */
export const officeAt = (
  { time_zone: timeZone, windows }: OfficeHours,
  at: Date,
): { isOpen: boolean; nextLook: Date } => {
  const now = at.getTime();
  let isOpen = false;
  let next = now + lookAgainMs;
  for (const window of windows) {
    const { value: first } = openingsFrom(at, window, timeZone).next();
    if (!first) continue;
    const hasBegun = first.beginMs <= now;
    isOpen ||= hasBegun;
    next = Math.min(next, hasBegun ? first.endMs : first.beginMs);
  }
  return { isOpen, nextLook: new Date(next) };
};
