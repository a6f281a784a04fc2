/** From the least to the most. */
export const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);

/** Prints median, least and most of these, in ms. */
export const tell = (what: string, values: readonly number[]): void => {
  const [least = 0] = sorted(values);
  const median = sorted(values)[Math.floor(values.length / 2)] ?? 0;
  console.log(
    `${what}: median ${median.toFixed(0)} ms, least ${least.toFixed(0)}, most ${Math.max(...values).toFixed(0)}`,
  );
};
