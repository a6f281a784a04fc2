import { sayRelative } from './say-relative.ts';
import { createContext, use } from 'react';
import { useNow } from './use-now.ts';

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const ofYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const days = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' });
const ofDay = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** A time in the user's zone, where only a text can stand. `at` is ISO 8601. */
export const sayTime = (at: string): string => full.format(new Date(at));

/** Without the year where it is this one. */
const sayShort = (at: Date): string => (at.getFullYear() === new Date().getFullYear() ? ofYear : full).format(at);

/** The time of day where it is today or tomorrow, else with the day. */
const sayNear = (at: Date, nowMs: number): string => {
  const now = new Date(nowMs);
  if (at.toDateString() === now.toDateString()) return ofDay.format(at);
  const tomorrow = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  return at.toDateString() === tomorrow.toDateString()
    ? `${days.format(1, 'day')}, ${ofDay.format(at)}`
    : full.format(at);
};

type Relative = 'ago' | 'ahead';

type Props = {
  at: string;
  /**
   * `short`: without the year where it is this one. `near`: without the date where it is today or tomorrow. `ago`: how long it is over, and now where the browser's
   * clock is behind. `ahead`: how long it still is.
   */
  format?: 'full' | 'short' | 'near' | Relative;
};

/** The attribute with what is told of a time that is pointed at. A tooltip for each of hundreds would take a list longer than its rows. */
export const timeTip = 'data-time-tip';

/** A time in the user's zone, and in UTC when it is pointed at (`TimeTip` shows that). `at` is ISO 8601. */
export const Time = ({ at, format = 'full' }: Props) => {
  if (format === 'ago' || format === 'ahead' || format === 'near') return <Moving at={at} format={format} />;
  const date = new Date(at);
  const local = full.format(date);
  return format === 'short' ? (
    <Told at={at} words={sayShort(date)} tip={tipOf(at, local)} />
  ) : (
    <Told at={at} words={local} tip={at} />
  );
};

/** A time whose words change as time goes by, which those of lists mostly do not. */
const Moving = ({ at, format }: { at: string; format: 'near' | Relative }) => {
  const nowMs = useNow();
  const date = new Date(at);
  const local = full.format(date);
  const words = format === 'near' ? sayNear(date, nowMs) : sayRelative(within[format](date.getTime() - nowMs));
  return <Told at={at} words={words} tip={words === local ? at : tipOf(at, local)} />;
};

const within: Record<Relative, (ms: number) => number> = {
  ago: (ms) => Math.min(ms, 0),
  ahead: (ms) => Math.max(ms, 0),
};

/** A time that is told in short is whole where it is pointed at. */
const tipOf = (at: string, local: string): string => `${local} · ${at}`;

/** Whether times stand in the rows of a list, where each would be one more stop for a keyboard on its way to the next row. */
export const InRows = createContext(false);

/** Where it is no stop, it is still described, and has its tip where it is clicked. The page of a row tells its times, too. */
const Told = ({ at, words, tip }: { at: string; words: string; tip: string }) => (
  <time dateTime={at} tabIndex={use(InRows) ? -1 : 0} aria-description={tip} className="time" {...{ [timeTip]: tip }}>
    {words}
  </time>
);
