import type { Result } from './result.ts';

type Waited = Record<keyof Result['waited'], readonly [median: number, worst: number]>;

/** How long a neighbour waited in ms before anything of this had a bound (commit e191ed1). Measured like the rest on two cores, five times over. */
export const before: Readonly<Record<string, Waited>> = {
  'A flow that fires itself': { post: [3211, 6052], run: [9497, 15_888], delivery: [3248, 6120] },
  'Two thousand runs that begin at once': { post: [489, 2549], run: [4793, 6895], delivery: [632, 4626] },
  'Requests that lock one contact': { post: [2034, 2645], run: [5092, 5651], delivery: [2540, 2776] },
  'Events to a receiver that does not answer': { post: [115, 387], run: [421, 2340], delivery: [178, 2556] },
  'Drafts with a long url': { post: [1272, 2721], run: [4027, 6753], delivery: [2769, 4369] },
  'Drafts of braces': { post: [5154, 6118], run: [15_208, 20_094], delivery: [10_395, 11_712] },
  'Drafts of regular expressions': { post: [298, 535], run: [1197, 1780], delivery: [716, 921] },
  'Mappings that look at everything': { post: [165, 1701], run: [2129, 3443], delivery: [835, 2783] },
  'Requests with many credentials': { post: [1162, 1884], run: [3299, 5648], delivery: [1606, 2279] },
  'Long messages through many regular expressions': { post: [113, 151], run: [3282, 4738], delivery: [925, 2672] },
  'Large bodies': { post: [2130, 3000], run: [8442, 10_720], delivery: [5740, 8196] },
};
