import { z } from 'zod';
import { declareEvent } from './fact.ts';

export const tagApplied = declareEvent({
  name: 'tag_applied',
  meaning: 'A tag is applied to a contact that did not have it',
  details: 'The API or a flow applies it. The name is as it was first spelt.',
  since: '0.3',
  variants: ['api', 'dashboard'],
  data: z.object({ tag: z.object({ name: z.string().meta({ description: 'As it was first spelt.' }) }) }),
  sample: () => ({ tag: { name: 'test' } }),
  happened: 'Got a tag',
  tell: ({ tag }) => `Got the tag “${tag.name}”`,
  topics: ['tags'],
});
