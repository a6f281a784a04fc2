/** What `--only` can name: speed beside the yardsticks, and the scenarios. */
export const parts = [
  'speed',
  'hanging',
  'fairness',
  'stored',
  'workers',
  'memory',
  'replay',
  'flows',
  'volume',
  'domain',
] as const;

export type Part = (typeof parts)[number];
