import { z } from 'zod';
import { measures, type Took } from './neighbour.ts';

const figures = z.object({ median: z.number(), worst: z.number() });

/** How long the neighbour waited beside an adversary, in ms, for each thing; `alone` is the median without it. */
export const resultSchema = z.object({
  title: z.string(),
  waited: z.record(z.enum(measures), figures.extend({ alone: z.number() })),
});

export type Result = z.infer<typeof resultSchema>;

/** What no neighbour may wait longer than alone, in ms. */
const bar = { median: 250, worst: 1_000 } as const;

const figuresOf = (values: readonly number[]): z.infer<typeof figures> => {
  const ordered = values.toSorted((one, other) => one - other);
  return { median: ordered[Math.floor(ordered.length / 2)] ?? 0, worst: ordered.at(-1) ?? 0 };
};

/** Compares what a neighbour did alone with what it did beside an adversary. */
export const compare = (title: string, alone: readonly Took[], beside: readonly Took[]): Result => {
  const ofEach = (measure: (typeof measures)[number]) => ({
    ...figuresOf(beside.map((took) => took[measure])),
    alone: figuresOf(alone.map((took) => took[measure])).median,
  });
  return { title, waited: { post: ofEach('post'), run: ofEach('run'), delivery: ofEach('delivery') } };
};

/** What was above the bar, in words. */
export const aboveBar = ({ waited }: Result): string[] =>
  measures.flatMap((measure) => {
    const { median, worst, alone } = waited[measure];
    const isAbove = median - alone > bar.median || worst - alone > bar.worst;
    return isAbove
      ? [`${measure}: ${median.toFixed()} ms, at worst ${worst.toFixed()} ms; alone ${alone.toFixed()} ms`]
      : [];
  });
