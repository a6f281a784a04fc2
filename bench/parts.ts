/** What `--only` can name: speed beside the yardsticks, and the scenarios. */
export const parts = [
  'speed',
  'hanging',
  'fairness',
  'stored',
  'scale',
  'sizing',
  'memory',
  'replay',
  'flows',
  'volume',
  'domain',
  'live',
] as const;

export type Part = (typeof parts)[number];
