import { Temporal } from 'temporal-polyfill';
import { invalid } from '../errors.ts';
import { hourMs } from './counts.ts';

/** How far apart the points of a series are. */
export type Interval = 'hour' | 'day';

/** What a caller asks for; times are as they were given. */
export type AskedTimes = {
  from?: Date | undefined;
  to?: Date | undefined;
  interval: Interval;
  timeZone: string;
};

/** The beginnings of hours or days, in order, and the end of the last one; where it is asked for, also the period before that they are compared with. */
export type Points = { starts: Date[]; end: Date; before?: Period | undefined };

/** As many points before the others: from when, and until as far into its last point as the present one has got. */
type Period = { from: Date; until: Date };

/** A sum for each stretch of time, as `stretchesOf` has them: those of the points, and that of the period before. */
type Stretches<Sum> = { points: Sum[]; before: Sum | undefined };

/**
 * All that is read for these points, by one statement each: where its stretches begin. Before the points, where it is asked for, stand the period
 * before, and what lies between that and the first point, which counts for nothing.
 */
export const stretchesOf = ({ starts, before }: Points) => ({
  starts: before ? [before.from, before.until, ...starts] : starts,
  split: <Sum>(sums: Sum[]): Stretches<Sum> =>
    before ? { before: sums[0], points: sums.slice(2) } : { before: undefined, points: sums },
});

/** The most days of each interval: so many points come out, or 24 times as many. A day more is for the ends that are rounded outwards. */
const daysAtMost: Record<Interval, number> = { hour: 31, day: 184 };
const usualDays: Record<Interval, number> = { hour: 1, day: 30 };

const dayMs = 24 * hourMs;

/**
 * The hours, or the days on the clock of a time zone, that a time touches; up to now where nothing later is asked for, and a day or thirty days
 * unless told. Hours are those of UTC. Throws `invalid_request` for times in a wrong order, and for too many points.
 */
export const createPoints = ({ from, to, interval, timeZone }: AskedTimes, now: Date): Points & { before: Period } => {
  const last = new Date(Math.min(to?.getTime() ?? Infinity, now.getTime()));
  const first = from ?? new Date(last.getTime() - usualDays[interval] * dayMs);
  if (first >= last) throw invalid({ path: 'from', message: 'must be before now, and before `to`' });
  if (last.getTime() - first.getTime() > daysAtMost[interval] * dayMs) {
    const message = `must be at most ${daysAtMost[interval]} days before \`to\` for the interval ${interval}`;
    throw invalid({ path: 'from', message, code: 'too_big' });
  }
  const begin = interval === 'hour' ? hoursFrom(first) : daysFrom(first, timeZone);
  const starts: Date[] = [];
  for (;;) {
    const start = begin(starts.length);
    if (start >= last) return { starts, end: start, before: periodBefore(begin, starts, last) };
    starts.push(start);
  }
};

const periodBefore = (begin: (after: number) => Date, starts: readonly Date[], last: Date): Period => {
  const intoLastMs = nextHour(last).getTime() - nextHour(starts.at(-1) ?? last).getTime();
  const until = new Date(nextHour(begin(-1)).getTime() + intoLastMs);
  return { from: begin(-starts.length), until: earlier(until, begin(0)) };
};

/** The first full hour from this time on. */
export const nextHour = (time: Date): Date => new Date(Math.ceil(time.getTime() / hourMs) * hourMs);

export const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** The beginning of the hour that is so many after the hour of a time. */
const hoursFrom = (first: Date) => {
  const hour = Math.floor(first.getTime() / hourMs);
  return (after: number): Date => new Date((hour + after) * hourMs);
};

/** The beginning of the day that is so many after the day of a time. */
const daysFrom = (first: Date, timeZone: string) => {
  const day = Temporal.Instant.fromEpochMilliseconds(first.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  return (after: number): Date => new Date(day.add({ days: after }).toZonedDateTime(timeZone).epochMilliseconds);
};
