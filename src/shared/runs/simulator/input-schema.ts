import { z } from 'zod';
import { smallRecord } from '../../custom-fields/json.ts';
import { isStorableJson } from '../../custom-fields/storable.ts';
import type { Json } from '../../custom-fields/values.ts';
import { messageLimits } from '../../flows/blocks/message-limits.ts';
import { mediaTypes } from '../../media/limits.ts';
import { blockId as anyBlockId, duration } from '../../flows/blocks/schemas.ts';
import { durationMs } from '../../flows/blocks/durations.ts';
import { definitionBody, draftDefinition } from '../../flows/schema.ts';
import { isHeaderName } from '../../platform/egress/connection-headers.ts';
import { tagName } from '../../tags/schema.ts';
import { writtenTime } from '../../times/storable-time.ts';
import { mockFailures, simulationLimits, type SimulatedInput } from './simulation.ts';

/** The most that a request to simulate has beside a definition, in characters and values: responses of other services are in it. */
const besideDefinition = { characters: 512 * 1024, values: 20_000 } as const;

/** The largest body of a request to simulate, in bytes, and the most values in it. */
export const simulationBody = {
  bodyLimit: definitionBody.bodyLimit + besideDefinition.characters,
  maxValues: definitionBody.maxValues + besideDefinition.values,
} as const;

const blockId = anyBlockId.max(64);

const text = z.strictObject({
  text: z.string().min(1).max(10_000).meta({ description: 'The text that the contact sends.' }),
});

const attachment = z.union([
  z.strictObject({ type: z.enum(mediaTypes), name: z.string().min(1).max(255).default('file') }),
  z.strictObject({ media_id: z.string().max(64).meta({ description: 'A file of the account, with its real link.' }) }),
  z.strictObject({
    type: z.literal('location'),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
]);

const attached = z.strictObject({
  text: z.string().max(10_000).optional(),
  attachments: z.array(attachment).min(1).max(messageLimits.attachments).meta({
    description: 'What the contact sends: files, each by its `type` and `name` or its `media_id`, and locations.',
  }),
});

const after = z.strictObject({ after: duration.meta({ description: 'The time that passes; what is due happens.' }) });

const events = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('tag_applied'),
    data: z.strictObject({ tag: z.strictObject({ name: tagName }) }),
  }),
  z.strictObject({
    event: z.enum(['order_placed', 'order_status_changed']),
    data: smallRecord('As docs/events.md has it: `{"order": {…}}`.').default({}),
  }),
  z.strictObject({
    event: z.literal('handover_ended'),
    data: z.strictObject({ status: z.enum(['resolved', 'expired']) }).default({ status: 'resolved' }),
  }),
  z.strictObject({
    event: z.literal('child_ended'),
    data: z.strictObject({ status: z.enum(['completed', 'failed', 'cancelled']) }).default({ status: 'completed' }),
  }),
]);

const input = z.union([text, attached, after, events], {
  error:
    'must be {"text": …}, {"attachments": […]}, {"after": "PT2H"} or {"event": …, "data": …}; docs/flows.md, Simulate, has the events',
});

type GivenInput = z.output<typeof input>;

/** An input as the simulator takes it. */
export const readInput = (given: GivenInput): SimulatedInput => {
  if ('attachments' in given) return { type: 'text', text: given.text ?? '', attachments: given.attachments };
  if ('text' in given) return { type: 'text', text: given.text };
  if ('after' in given) return { type: 'after', ms: durationMs(given.after) ?? 0 };
  if (given.event === 'handover_ended') return { type: given.event, status: given.data.status };
  if (given.event === 'child_ended') return { type: given.event, status: given.data.status };
  return { type: 'event', name: given.event, data: given.data };
};

const json = z.unknown().transform((value, ctx): Json => {
  if (isStorableJson(value)) return value;
  ctx.addIssue({ code: 'custom', message: 'must be JSON of at most 5,000 values that is not nested deeply' });
  return z.NEVER;
});

const answer = z.union(
  [
    z.strictObject({
      status: z.int().min(200).max(599),
      headers: z
        .record(z.string().max(200).refine(isHeaderName, { error: 'is no name of a header' }), z.string().max(5_000))
        .refine((headers) => Object.keys(headers).length <= 50, { error: 'has more than 50 entries' })
        .optional()
        .meta({ maxProperties: 50 }),
      body: json.optional().meta({ description: 'A text is sent as it is, any other value as JSON.' }),
    }),
    z.strictObject({ timeout: z.literal(true) }),
    z.strictObject({ fails: z.enum(mockFailures).meta({ description: 'Why no request arrives.' }) }),
  ],
  { error: 'must be {"status": 200, "body": …}, {"timeout": true} or {"fails": "connect"}' },
);

const mock = z.union([answer, z.array(z.union([answer, z.array(answer).min(1).max(3)])).max(200)], {
  error:
    'must be {"status": 200, "body": …}, {"timeout": true}, {"fails": "connect"}, or a list of them, one for each visit',
});

const short = z.string().max(255).nullish();

const contact = z.union(
  [
    z.string().max(64),
    z.strictObject({
      first_name: short,
      last_name: short,
      email: short,
      phone: short,
      language: short,
      time_zone: short,
      external_id: short,
      channel: z.string().max(64).optional().meta({ description: 'The type of its channel; `api` when not given.' }),
      custom_fields: smallRecord('By key.').default({}),
      tags: z.array(tagName).max(100).default([]),
    }),
  ],
  { error: 'must be the id of a contact, or the fields of one who does not exist' },
);

/** What every simulation may be given, a stored one as well. */
export const storableSimulation = z.strictObject({
  start: blockId.optional().meta({ description: "The block to begin at; the flow's start when not given." }),
  contact: contact.optional().meta({
    description: 'An id, or the fields of a contact who does not exist. Nothing is known of who is not given.',
  }),
  params: smallRecord('Values of the enrollment.').default({}),
  now: writtenTime.optional().meta({
    description: 'The start of the simulation; now if omitted. Without a zone, in UTC.',
  }),
  seed: z.int().min(0).max(999_999_999).optional().meta({
    description: 'The same one makes the same contact, whom `split` sends the same way. The answer has it.',
  }),
  inputs: z.array(input).max(simulationLimits.inputs).default([]).meta({ description: 'Inputs, in order.' }),
  mocks: z
    .record(blockId, mock)
    .refine((mocks) => Object.keys(mocks).length <= 500, { error: 'has more than 500 entries' })
    .default({})
    .meta({
      maxProperties: 500,
      description:
        'Responses of other services, by the id of the block: one for all visits, or a list with one for each visit. An item that is itself a list has one for each attempt.',
    }),
});

/** A definition as it is being edited. */
export const editedDefinition = draftDefinition.meta({
  description: 'Simulated in place of the stored draft. Needs the role editor. At most 1 MiB and 25,000 values.',
});

/** What a simulation is asked with. */
export const newSimulation = storableSimulation
  .extend({
    version: z.int().min(1).max(999_999_999).optional().meta({ description: 'The draft when not given.' }),
    definition: editedDefinition.optional(),
    real: z.boolean().default(false).meta({
      description:
        'Sends requests without a mock, once each, for 30 s in all. Needs the role editor. Each counts as a request to the API.',
    }),
    real_requests: z.int().min(1).max(simulationLimits.realRequests).optional().meta({
      description: 'Sends so many requests at most. The next one ends the simulation with `waiting: "mock"`.',
    }),
  })
  .refine(({ version, definition: given }) => version === undefined || given === undefined, {
    path: ['definition'],
    error: 'cannot be given with `version`',
  })
  .refine(
    ({ definition: _definition, ...beside }) => JSON.stringify(beside).length <= besideDefinition.characters,
    `has more than ${besideDefinition.characters} characters beside the definition`,
  )
  .meta({
    id: 'NewSimulation',
    example: {
      contact: { first_name: 'Ada', time_zone: 'Europe/London' },
      inputs: [{ text: 'M' }, { after: 'PT2H' }],
      mocks: { stock: { status: 200, body: { items: [{ left: 3 }] } } },
    },
  });

export type StorableSimulation = z.output<typeof storableSimulation>;
