/** From the least to the most. */
export const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);

/** Prints median, least and most of these, in ms; what is short with a digit more. */
export const tell = (what: string, values: readonly number[]): void => {
  const [least = 0] = sorted(values);
  const median = sorted(values)[Math.floor(values.length / 2)] ?? 0;
  const say = (ms: number): string => ms.toFixed(median < 20 ? 1 : 0);
  console.log(`${what}: median ${say(median)} ms, least ${say(least)}, most ${say(Math.max(...values))}`);
};
