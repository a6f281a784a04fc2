import { z } from 'zod';
import type { EventName } from '../../facts/names.ts';
import type { Block } from './block.ts';
import { findRuleProblems, templatesOfRules, usesOfRules } from './check-rules.ts';
import { after } from './durations.ts';
import { hold, meaningOfRules, rulesSchema } from './rules.ts';
import { blockSchema, duration } from './schemas.ts';
import { overBudget } from './context.ts';

/** The events that a run can wait for. */
export const awaitedEvents = [
  'tag_applied',
  'order_placed',
  'order_status_changed',
] as const satisfies readonly EventName[];

const ofOrder = ['id', 'external_id', 'number', 'status', 'currency', 'total', 'placed_at'].map(
  (part) => `event.order.${part}`,
);

/** The names of templates that surely have a value when such an event has come. */
const told: Record<(typeof awaitedEvents)[number], readonly string[]> = {
  tag_applied: ['event.tag.name'],
  order_placed: ofOrder,
  order_status_changed: [...ofOrder, 'event.order.from', 'event.order.to'],
};

const schema = blockSchema(
  'wait_event',
  {
    event: z.enum(awaitedEvents).meta({
      description:
        '`tag_applied`: a tag that the contact did not have. `order_placed`: a new order. `order_status_changed`: another status of an order.',
    }),
    rules: rulesSchema.optional().meta({
      description:
        'Which one: all rules must hold. `event.…` is the event that came, such as `event.tag.name` or `event.order.to`.',
    }),
    fresh: z.boolean().default(false).meta({
      description:
        'Whether only an event after the block was entered counts; otherwise one since the run began, or took its last one, is enough.',
    }),
    timeout: duration.default('P7D').meta({
      description: 'How long it may take: ISO 8601, from PT1S to P365D; a day has 24 hours.',
    }),
  },
  ['received', 'timeout'],
);

export const waitEvent: Block<z.output<typeof schema>> = {
  type: 'wait_event',
  v: meaningOfRules,
  summary: 'Waits for something to happen to the contact.',
  schema,
  yields: true,
  waits: true,
  ports: () => [
    { name: 'received', omitted: 'following' },
    { name: 'timeout', omitted: 'fails' },
  ],
  listensFor: ({ event }) => event,
  uses: ({ rules = [] }) => usesOfRules(rules),
  templates: ({ rules = [] }) => templatesOfRules(rules),
  writes: ({ event }) => told[event].map((name) => ({ port: 'received', name, leaves: 'a_value' })),
  check: ({ rules = [] }, known) => findRuleProblems(rules, known),
  enter: ({ timeout }, context) => ({ type: 'wait', for: 'event', until: after(context.now, timeout) }),
  resume: ({ event, rules = [], fresh }, context, input) => {
    if (input.type === 'due') return { type: 'go', port: 'timeout' };
    if (input.type !== 'event' || input.name !== event) return undefined;
    if (fresh && input.at < context.step.enteredAt) return undefined;
    const told = { ...context, run: { ...context.run, event: input.data } };
    const holds = hold(rules, 'all', told);
    if (holds === undefined) return overBudget;
    return holds ? { type: 'go', port: 'received' } : undefined;
  },
};
