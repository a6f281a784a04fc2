/** How long the numbers of a block reach back, in hours. */
export const analyticsHours = 7 * 24;

const [secondMs, minuteMs, hourMs, dayMs] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The bounds of the buckets in which stays at a block are counted, in ms: a hundredth of a second to a quarter of a year. */
export const stayBoundsMs: readonly number[] = [
  10,
  30,
  100,
  300,
  ...[1, 2, 3, 5, 10, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 5, 10, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8, 24, 48].map((hours) => hours * hourMs),
  ...[4, 7, 30, 90].map((days) => days * dayMs),
];

/** What is counted of a block: runs that came, and how they left. A run that ends at a block takes no port. */
export type Outcome = 'entered' | 'left' | 'ended' | 'failed' | 'cancelled';
