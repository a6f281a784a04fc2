/** The bounds of the buckets in which attempts are counted by how long they took, in ms: one bucket below the first, and one from the last on. */
export const latencyBoundsMs = [
  2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000,
] as const;

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000];

/** The same for how long contacts waited for a first answer: half a second to a week. */
export const answerBoundsMs: readonly number[] = [
  ...[0.5, 1, 2, 3, 5, 10, 20, 30].map((seconds) => seconds * secondMs),
  ...[1, 2, 3, 5, 10, 20, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 4, 8, 24, 48, 96, 168].map((hours) => hours * hourMs),
];

/** A value for each bucket of these bounds, which is counted from 0. */
export const eachBucket = <Value>(bounds: readonly number[], value: (bucket: number) => Value): Value[] =>
  Array.from({ length: bounds.length + 1 }, (_, bucket) => value(bucket));

/** How many each bucket has. Sums of histograms with the same bounds are histograms. */
export type Histogram = readonly number[];

/**
 * The time that this share of what was counted did not exceed, in ms; null for nothing. It is reckoned evenly within its bucket, so that it is off by
 * less than the bucket is wide. What is in the last bucket counts as its bound.
 */
export const percentileMs = (histogram: Histogram, bounds: readonly number[], share: number): number | null => {
  const count = histogram.reduce((sum, some) => sum + some, 0);
  if (count === 0) return null;
  let left = share * count;
  for (const [place, some] of histogram.entries()) {
    if (left <= some) {
      const [from = 0, to = from] = [bounds[place - 1], bounds[place]];
      return Math.round(from + (to - from) * (left / some));
    }
    left -= some;
  }
  return bounds.at(-1) ?? null;
};
