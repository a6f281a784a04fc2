import type { z } from 'zod';
import type { Block } from './block.ts';
import { tagName } from '../../tags/schema.ts';
import { blockSchema } from './schemas.ts';

const ports = () => [{ name: 'default', omitted: 'following' }] as const;

const tag = tagName.meta({ description: 'The name of the tag. One that is not there yet is made on first use.' });

const addSchema = blockSchema('add_tag', { tag }, ['default']);

export const addTag: Block<z.output<typeof addSchema>> = {
  type: 'add_tag',
  summary: 'Puts a tag on the contact.',
  schema: addSchema,
  ports,
  uses: ({ tag: name }) => [{ path: 'tag', type: 'tag', name, isMade: true }],
  enter: ({ tag: name }) => ({ type: 'go', port: 'default', effects: [{ type: 'add_tag', name }] }),
};

const removeSchema = blockSchema('remove_tag', { tag: tagName.meta({ description: 'The name of the tag.' }) }, [
  'default',
]);

export const removeTag: Block<z.output<typeof removeSchema>> = {
  type: 'remove_tag',
  summary: 'Takes a tag from the contact.',
  schema: removeSchema,
  ports,
  uses: ({ tag: name }) => [{ path: 'tag', type: 'tag', name }],
  enter: ({ tag: name }) => ({ type: 'go', port: 'default', effects: [{ type: 'remove_tag', name }] }),
};
