import { array, assert, constantFrom, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { answerBoundsMs, latencyBoundsMs, percentileMs } from '../../../src/shared/statistics/histogram.ts';

const bucketOf = (ms: number): number => latencyBoundsMs.filter((bound) => bound <= ms).length;
const bucketsOf = (durations: readonly number[]): number[] => {
  const buckets = Array.from({ length: latencyBoundsMs.length + 1 }, () => 0);
  for (const ms of durations) buckets[bucketOf(ms)] = (buckets[bucketOf(ms)] ?? 0) + 1;
  return buckets;
};

test('no attempts have no percentiles', () => {
  expect(percentileMs(bucketsOf([]), latencyBoundsMs, 0.5)).toBeNull();
});

test('the median of a bucket is its middle, and what has run into the limit counts as the limit', () => {
  expect(percentileMs(bucketsOf([50, 51, 52, 69]), latencyBoundsMs, 0.5)).toBe(60);
  expect(percentileMs(bucketsOf([10_004, 10_020]), latencyBoundsMs, 0.5)).toBe(10_000);
  expect(percentileMs(bucketsOf([0, 60_000]), latencyBoundsMs, 0.99)).toBe(10_000);
});

test('a percentile is in the bucket of the attempt that has it', () => {
  const durations = array(integer({ min: 0, max: 12_000 }), { minLength: 1, maxLength: 200 });
  assert(
    property(durations, constantFrom(0.5, 0.95, 0.99), (all, share) => {
      const sorted = all.toSorted((one, other) => one - other);
      const bucket = bucketOf(sorted[Math.ceil(share * all.length) - 1] ?? 0);
      const found = percentileMs(bucketsOf(all), latencyBoundsMs, share) ?? -1;
      expect(found).toBeGreaterThanOrEqual(latencyBoundsMs[bucket - 1] ?? 0);
      expect(found).toBeLessThanOrEqual(latencyBoundsMs[bucket] ?? 10_000);
    }),
  );
});

test('bounds of histograms ascend, so that each time has one bucket', () => {
  for (const bounds of [latencyBoundsMs, answerBoundsMs])
    expect([...bounds]).toEqual([...new Set(bounds)].toSorted((one, other) => one - other));
});
