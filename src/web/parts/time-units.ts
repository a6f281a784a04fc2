/** Units that times and durations are told in, the largest first, each with its length in ms. */
export const timeUnits = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;
