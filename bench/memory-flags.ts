import { readFileSync } from 'node:fs';
import { z } from 'zod';

const { scripts } = z
  .object({ scripts: z.object({ 'start:api': z.string() }) })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')));
const words = scripts['start:api'].split(' ');

/** What `npm run start:api` gives Node, so that what is measured is what runs. */
export const memoryFlags = {
  flags: words.filter((word) => word.startsWith('--')),
  env: Object.fromEntries(words.flatMap((word) => (/^[A-Z_]+=/.test(word) ? [word.split('=', 2)] : []))),
};
