import type { z } from 'zod';
import type { Block } from './block.ts';
import { blockId, blockSchema } from './schemas.ts';

const schema = blockSchema('goto', { block: blockId.meta({ description: 'The block to go on with.' }) }, []);

export const goto: Block<z.output<typeof schema>> = {
  type: 'goto',
  summary: 'Goes on with another block of the flow.',
  schema,
  ports: () => [],
  jumpsTo: ({ block }) => ({ path: 'block', block }),
  enter: () => ({ type: 'go', port: 'default' }),
};
