import { createContext, use } from 'react';
import { locale } from '../locale.ts';
import { sayRelative } from './say-relative.ts';
import { useNow } from './use-now.ts';

const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const withZone = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });
const dayOfYear = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const relativeDays = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });

const dayMs = 86_400_000;

/** A past time that seems ahead by less than this, in ms, reads as now, because clocks differ. */
const skewMs = 300_000;

/** A time in the user's zone to the second, where only a text can stand. `at` is ISO 8601. */
export const sayTime = (at: string): string => exact.format(new Date(at));

/** The day, without the year where it is this one. */
const sayDay = (at: Date, now: Date): string => (at.getFullYear() === now.getFullYear() ? dayOfYear : day).format(at);

/** The time of day where it is today or tomorrow, else with the day. */
const sayClock = (at: Date, now: Date): string => {
  if (at.toDateString() === now.toDateString()) return clock.format(at);
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  const isTomorrow = at.toDateString() === tomorrow.toDateString();
  return `${isTomorrow ? relativeDays.format(1, 'day') : sayDay(at, now)}, ${clock.format(at)}`;
};

/** How long ago or ahead it is within a day, else the day. */
const sayDistance = (at: Date, now: Date): string => {
  const ms = at.getTime() - now.getTime();
  return Math.abs(ms) < dayMs ? sayRelative(ms) : sayDay(at, now);
};

const sayAuto = (at: Date, now: Date): string => {
  const ms = at.getTime() - now.getTime();
  return sayDistance(ms > 0 && ms < skewMs ? now : at, now);
};

const formats = {
  auto: sayAuto,
  ahead: (at: Date, now: Date) => sayDistance(at.getTime() < now.getTime() ? now : at, now),
  clock: sayClock,
  exact: (at: Date) => exact.format(at),
} as const;

type Props = {
  at: string;
  /**
   * `auto`, which is taken when not given: how long ago or ahead within a day, else the day. `ahead`: the same, and now where it is over. `clock`: the time
   * of day, with the day unless it is today. `exact`: to the second.
   */
  format?: keyof typeof formats;
};

/** The attribute with what is told of a time that is pointed at. A tooltip for each of hundreds would take a list longer than its rows. */
export const timeTip = 'data-time-tip';

/** A time in the user's zone, and to the second, with the zone and in UTC, when it is pointed at (`TimeTip` shows that). `at` is ISO 8601. */
export const Time = ({ at, format = 'auto' }: Props) => {
  const now = new Date(useNow());
  return <Told at={at} words={formats[format](new Date(at), now)} />;
};

/** Whether times stand in the rows of a list, where each would be one more stop for a keyboard on its way to the next row. */
export const InRows = createContext(false);

/** Where it is no stop, it is still described, and has its tip where it is clicked. The page of a row tells its times, too. */
const Told = ({ at, words }: { at: string; words: string }) => {
  const tip = `${withZone.format(new Date(at))} · ${at}`;
  return (
    <time dateTime={at} tabIndex={use(InRows) ? -1 : 0} aria-description={tip} className="time" {...{ [timeTip]: tip }}>
      {words}
    </time>
  );
};
