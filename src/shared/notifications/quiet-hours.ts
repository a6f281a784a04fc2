/** From when to when, by the clock of a time zone, a user hears of nothing. */
type Hours = { from: string; to: string; time_zone: string };

const minutesOfDay = 24 * 60;

const minuteOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/** How many minutes are left of the quiet hours at a time; 0 outside of them. */
export const quietMinutesLeft = ({ from, to, time_zone: timeZone }: Hours, at: Date): number => {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const since = (clock: string): number => (minuteOf(clock) - minuteOf(from) + minutesOfDay) % minutesOfDay;
  return Math.max(0, since(to) - since(format.format(at)));
};
