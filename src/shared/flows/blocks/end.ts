import type { z } from 'zod';
import type { Block } from './block.ts';
import { blockSchema } from './schemas.ts';

const schema = blockSchema('end', {}, []);

export const end: Block<z.output<typeof schema>> = {
  type: 'end',
  summary: 'Ends the flow: the run is completed.',
  schema,
  ports: () => [],
  enter: () => ({ type: 'end' }),
};
