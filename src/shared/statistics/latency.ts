/** The bounds of the buckets in which attempts are counted by how long they took, in ms: one bucket below the first, and one from the last on. */
export const latencyBoundsMs = [
  2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000, 7_000, 10_000,
] as const;

/** A value for each bucket, which is counted from 0. */
export const eachBucket = <Value>(value: (bucket: number) => Value): Value[] =>
  Array.from({ length: latencyBoundsMs.length + 1 }, (_, bucket) => value(bucket));

/** How many attempts each bucket has. */
export type LatencyBuckets = readonly number[];

/**
 * The time that this share of the attempts did not exceed, in ms; null for no attempts. It is reckoned evenly within its bucket, so that it is off by
 * less than the bucket is wide. Attempts in the last bucket count as its bound: they have run into the limit of ten seconds.
 */
export const percentileMs = (buckets: LatencyBuckets, share: number): number | null => {
  const count = buckets.reduce((sum, some) => sum + some, 0);
  if (count === 0) return null;
  let left = share * count;
  for (const [place, some] of buckets.entries()) {
    if (left <= some) {
      const [from = 0, to = from] = [latencyBoundsMs[place - 1], latencyBoundsMs[place]];
      return Math.round(from + (to - from) * (left / some));
    }
    left -= some;
  }
  return latencyBoundsMs.at(-1) ?? null;
};
