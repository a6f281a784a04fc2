const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * An hour that is long over: noon of the Thursday of last week. So the logs have a whole week around it, and two hours of tests are never of two
 * weeks, whenever they run. (Time began on a Thursday.)
 */
const lastHour = Math.floor((Date.now() - 4 * dayMs) / (7 * dayMs)) * 7 * dayMs + 12 * hourMs;

/** The beginning of that hour, or of one so many hours before it. */
export const hourBefore = (hours: number): Date => new Date(lastHour - hours * hourMs);

/** So many minutes later. */
export const inHourBefore = (hours: number, minutes = 30): Date =>
  new Date(hourBefore(hours).getTime() + minutes * 60_000);

/** The moment from which that hour is to be rolled up, and the one after it is not. */
export const lastHourIsDue = inHourBefore(-1, 5);
