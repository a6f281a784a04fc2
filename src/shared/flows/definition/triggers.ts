import { z } from 'zod';
import type { EventName } from '../../facts/names.ts';
import { orderStatus } from '../../orders/schema.ts';
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

/** The triggers that an inbound message may fire. */
export const triggersOfMessages = ['keyword', 'default_reply'] as const;

/** The other events that start a run by themselves. */
export const triggeringEvents = [
  'tag_applied',
  'new_contact',
  'order_placed',
  'order_status_changed',
] as const satisfies readonly EventName[];

/** What starts a run, beside the API: the kinds of triggers in the order in which they are listed. */
export const triggerTypes = [...triggersOfMessages, ...triggeringEvents] as const;

/** What starts a run. Whatever a flow names, it can be started by the API. */
const kinds = [
  z.strictObject({ type: z.literal('api') }),
  keyword,
  z.strictObject({ type: z.literal('tag_applied'), tag: tagName }),
  z.strictObject({ type: z.literal('new_contact') }),
  z.strictObject({ type: z.literal('order_placed') }),
  z.strictObject({
    type: z.literal('order_status_changed'),
    status: orderStatus.optional().meta({ description: 'The status that the order gets; any when not given.' }),
  }),
  z.strictObject({ type: z.literal('default_reply'), priority }),
] as const;

export const triggerSchema = z.discriminatedUnion('type', kinds, {
  error: () => `must be one of ${kinds.map(({ shape }) => shape.type.value).join(', ')}`,
});

export type Trigger = z.output<typeof triggerSchema>;
