import type { Result } from './result.ts';

/** How long a neighbour waited in ms, at the median and at worst, before anything of this had a bound. Measured like the rest, on the same machine. */
export const before: Record<string, Record<keyof Result['waited'], readonly [median: number, worst: number]>> = {};
