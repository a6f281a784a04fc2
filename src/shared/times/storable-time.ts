import { z } from 'zod';
import { readInstant } from './read-time.ts';

const textOfTime = ({ needsTime }: { needsTime: boolean }) =>
  z
    .string()
    .max(64)
    .superRefine((text, ctx) => {
      const read = readInstant(text, 'UTC', { needsTime });
      if (!read.ok) ctx.addIssue({ code: 'custom', message: read.problem });
    });

/**
 * A date-time, still as its text: without a zone it is on a clock that only the write knows. Whether it is one does not depend on the zone, but
 * for the first and the last day of the years that PostgreSQL holds.
 */
export const writtenTime = textOfTime({ needsTime: true });

/** The instant of a date-time that `writtenTime` has taken; undefined for what lies outside of the years 1 to 9999 in the zone. */
export const instantIn = (text: string, timeZone: string): Date | undefined => {
  const read = readInstant(text, timeZone);
  return read.ok ? read.instant : undefined;
};

/** What lists and counts are asked since and until: a date-time as `writtenTime` has it, or a date, which is its midnight on the account's clock. */
export const askedTime = textOfTime({ needsTime: false });

/** What the document says of an `askedTime`. */
export const onAccountsClock = "Without a zone it is on the account's clock; a date alone is its midnight there.";

/** The instant of an `askedTime`, undefined for none. On a clock where that is not in the years 1 to 9999 by some hours, it is what the text says in UTC. */
export const askedInstant = (text: string | undefined, timeZone: string): Date | undefined =>
  text === undefined ? undefined : (instantIn(text, timeZone) ?? instantIn(text, 'UTC'));
