/** Milliseconds on a clock that all processes of this machine share, for times from one process to another. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export type Quantiles = { p50: number; p95: number; p99: number };

/** Quantiles by the nearest rank, so that each is a measured value. NaN without values. */
export const quantiles = (values: readonly number[]): Quantiles => {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
};

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
};
