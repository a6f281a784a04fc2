import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

/** An IANA time zone as it is given, but for its letter case: `Europe/Kyiv` does not become `Europe/Kiev`. */
export const timeZone = z
  .string()
  .max(64)
  .transform((zone, ctx) => {
    const known = findTimeZone(zone);
    if (known !== undefined) return known.name;
    ctx.addIssue({ code: 'custom', message: 'must be an IANA time zone such as "Europe/Berlin"' });
    return z.NEVER;
  });

/** Whether a text names a time zone of IANA. */
export const isTimeZone = (zone: string): boolean => findTimeZone(zone) !== undefined;

/** One name for all names of the same time zone; any other text as it is. */
export const canonicalTimeZone = (zone: string): string => findTimeZone(zone)?.canonical ?? zone;

/** `name` is what was given, in its usual letter case; `canonical` is the same for all names of the zone. */
type TimeZone = { name: string; canonical: string };

const timeZones = new Map<string, TimeZone>();

/** A look-up is slow, so each zone is looked up once; there are about 600. Offsets are no zones: they know no daylight saving. */
const findTimeZone = (zone: string): TimeZone | undefined => {
  const key = zone.toLowerCase();
  const known = timeZones.get(key);
  if (known !== undefined || key.length > 64 || !/^[a-z]/.test(key)) return known;
  try {
    const name = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone).timeZoneId;
    const canonical = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    const found = { name, canonical };
    timeZones.set(key, found);
    return found;
  } catch {
    return undefined;
  }
};
