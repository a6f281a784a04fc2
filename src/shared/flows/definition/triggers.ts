import { z } from 'zod';
import { tagName } from '../../tags/schema.ts';

const priority = z.int().min(-1_000).max(1_000).default(0).meta({
  description: 'Of flows that a message could start, the one with the highest gets it; of equal ones the oldest.',
});

const keyword = z.strictObject({
  type: z.literal('keyword'),
  match: z.enum(['exact', 'contains', 'prefix']).default('exact'),
  words: z.array(z.string().trim().min(1).max(100)).min(1).max(50),
  priority,
  interrupt: z.boolean().default(false).meta({ description: 'Starts even while another flow waits for an answer.' }),
});

/** What starts a run. Whatever a flow names, it can be started by the API. */
const kinds = [
  z.strictObject({ type: z.literal('api') }),
  keyword,
  z.strictObject({ type: z.literal('tag_applied'), tag: tagName }),
  z.strictObject({ type: z.literal('new_contact') }),
  z.strictObject({ type: z.literal('default_reply'), priority }),
] as const;

export const triggerSchema = z.discriminatedUnion('type', kinds, {
  error: () => `must be one of ${kinds.map(({ shape }) => shape.type.value).join(', ')}`,
});

export type Trigger = z.output<typeof triggerSchema>;
