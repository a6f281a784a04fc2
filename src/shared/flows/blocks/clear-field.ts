import type { z } from 'zod';
import type { Block } from './block.ts';
import { usesField } from './fields.ts';
import { blockSchema, fieldName } from './schemas.ts';

const schema = blockSchema('clear_field', { field: fieldName }, ['default']);

export const clearField: Block<z.output<typeof schema>> = {
  type: 'clear_field',
  summary: 'Empties a field of the contact.',
  schema,
  ports: () => [{ name: 'default', omitted: 'following' }],
  uses: ({ field }) => usesField('field', field),
  writes: ({ field: name }) => [{ port: 'default', name, leaves: 'maybe_nothing' }],
  enter: ({ field: key }) => ({ type: 'go', port: 'default', effects: [{ type: 'set_field', key, value: null }] }),
};
