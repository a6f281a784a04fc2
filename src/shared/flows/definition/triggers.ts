import { z } from 'zod';
import type { EventName } from '../../facts/names.ts';
import { orderStatus } from '../../orders/schema.ts';
import { tagName } from '../../tags/schema.ts';
import { startPayload } from '../start-link.ts';

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

const startLink = z
  .strictObject({
    type: z.literal('start_link'),
    match: z.enum(['exact', 'prefix']).default('exact'),
    payload: z
      .string()
      .trim()
      .regex(startPayload, 'must have 1 to 64 letters, digits, - and _')
      .optional()
      .meta({ description: 'The payload of the link, or how it begins; any when not given. Letter case counts.' }),
    priority,
  })
  .meta({
    description:
      'A link with a payload, which the messenger writes as `/start <payload>`. Starts even while another flow waits for an answer, with `params.payload`.',
  });

/** The triggers that an inbound message may fire, in the order in which they are tried. */
export const triggersOfMessages = ['start_link', 'keyword', 'default_reply'] as const;

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
  startLink,
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
