import { z } from 'zod';

/** An IANA time zone, in its canonical spelling. */
export const timeZone = z
  .string()
  .max(64)
  .transform((zone, ctx) => {
    const known = findTimeZone(zone);
    if (known !== undefined) return known;
    ctx.addIssue({ code: 'custom', message: 'must be an IANA time zone such as "Europe/Berlin"' });
    return z.NEVER;
  });

const timeZones = new Map<string, string | undefined>();

/** The canonical spelling of a time zone, or undefined. A look-up is slow, so each zone is looked up once; there are few. */
const findTimeZone = (zone: string): string | undefined => {
  const key = zone.toLowerCase();
  const known = timeZones.get(key);
  if (known !== undefined || !/^[a-z]/.test(key)) return known;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    timeZones.set(key, timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
};
