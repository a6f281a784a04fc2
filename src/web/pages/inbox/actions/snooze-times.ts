import { locale } from '../../../locale.ts';

/** A time until which a conversation can be snoozed. */
type SnoozeTime = { name: 'hour' | 'evening' | 'tomorrow' | 'monday'; at: Date; said: string };

const hourMs = 3_600_000;

/** When a day of work begins and ends, in hours. */
const morning = 9;
const evening = 18;

const dayAndTime = new Intl.DateTimeFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit' });

const dateAndTime = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** From so far ahead on, in ms, the name of a day alone may be that of an earlier one. */
const datedMs = 6 * 24 * hourMs;

/** A snooze time as a text, with its date where it is far ahead. */
export const saySnooze = (at: Date, now: Date): string =>
  (at.getTime() - now.getTime() < datedMs ? dayAndTime : dateAndTime).format(at);

const dayAfter = (now: Date, days: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);

/** The times that are offered, soonest first, each once and in the user's zone: this evening only while it is not near. */
export const snoozeTimes = (now: Date): SnoozeTime[] => {
  const untilMonday = (8 - now.getDay()) % 7 || 7;
  const times = [
    { name: 'hour', at: new Date(now.getTime() + hourMs) },
    { name: 'evening', at: dayAfter(now, 0, evening) },
    { name: 'tomorrow', at: dayAfter(now, 1, morning) },
    { name: 'monday', at: dayAfter(now, untilMonday, morning) },
  ] as const;
  return times
    .filter(({ name, at }) => name !== 'evening' || at.getTime() - now.getTime() > 2 * hourMs)
    .filter(({ name }) => name !== 'monday' || untilMonday > 1)
    .map(({ name, at }) => ({ name, at, said: saySnooze(at, now) }));
};
