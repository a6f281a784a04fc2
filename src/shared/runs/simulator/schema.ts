import { z } from 'zod';
import { anyJson } from '../../codec.ts';
import { tellFile, toldFile } from '../../media/schema.ts';
import { maskUrl } from '../../platform/mask-url.ts';
import { runStatuses, waits } from '../engine/run-state.ts';
import type { Simulated, SimulatedRequest, Simulation } from './simulation.ts';

const order = z.int().meta({ description: 'What happened before has a lower one, in any of the lists.' });

const at = {
  order,
  run: z.int().meta({ description: 'The number of the run, from 1 on.' }),
  block_id: z.string(),
};

const step = z.object({
  ...at,
  visit: z.int(),
  port: z.string().nullable().meta({ description: 'Null while it is open, and where the run ended in it.' }),
  reason: z.string().nullable(),
  entered_at: z.iso.datetime(),
  left_at: z.iso.datetime().nullable(),
});

const message = z.object({
  ...at,
  text: z.string(),
  image_url: z.string().nullable(),
  attachments: z.array(toldFile).meta({ description: 'Files, such as a picture that the contact has sent before.' }),
  quick_replies: z.array(z.string()),
  sent_at: z.iso.datetime(),
});

const request = z.object({
  ...at,
  visit: z.int(),
  item_index: z.int().nullable().meta({ description: 'The item of `for_each`, counted from 0.' }),
  try: z.int(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()).nullable().meta({ description: 'Null for agents.' }),
  body: z.string().nullable().meta({ description: 'Null for agents.' }),
  mocked: z.boolean().meta({ description: 'Whether the response was mocked, without a real request.' }),
  status_code: z.int().nullable(),
  response_headers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .nullable()
    .meta({ description: 'Null for agents.' }),
  response_body: z.string().nullable().meta({ description: 'The first 16 KiB. Null for agents.' }),
  response_truncated: z.boolean(),
  reason: z.string().nullable(),
  detail: z.string().nullable(),
  port: z.string().nullable(),
  sent_at: z.iso.datetime(),
});

const routed = z.object({
  order,
  at: z.iso.datetime().meta({ description: 'The simulated time at which it was processed.' }),
  to: z.enum(['run', 'flow', 'consent', 'handover', 'nobody', 'clock', 'runs']),
  run: z.int().nullable(),
  by: z.string().nullable(),
  because: z.string().nullable(),
});

const orNull = z.string().nullable();

/** What a simulation came to. */
export const simulationResult = z
  .object({
    status: z.enum(runStatuses).meta({ description: 'Of the latest run that is open, else of the last one.' }),
    waiting: z
      .enum([...waits, 'mock', 'limit'])
      .nullable()
      .meta({
        description:
          '`mock`: the request of `block_id` has no answer. `limit`: the simulation was ended, and `reason` says by which bound: step_limit, size_limit, time_limit, request_limit, rate_limit, busy, or internal_error.',
      }),
    block_id: orNull,
    wakes_at: z.iso.datetime().nullable(),
    reason: orNull,
    now: z.iso.datetime().meta({ description: 'The simulated time at its end.' }),
    seed: z.int(),
    steps: z.array(step).meta({ description: 'Oldest first.' }),
    messages: z.array(message).meta({ description: 'Messages to the contact, oldest first.' }),
    changes: z
      .array(
        z.object({
          ...at,
          type: z.enum(['field', 'tag', 'reply']),
          name: z.string(),
          value: anyJson.meta({ description: 'Null for a cleared field; whether the contact has the tag.' }),
        }),
      )
      .meta({ description: 'What blocks set, oldest first.' }),
    fields: z.record(z.string(), anyJson).meta({ description: 'The custom fields of the contact by key.' }),
    contact: z.object({
      id: z.string(),
      first_name: orNull,
      last_name: orNull,
      email: orNull,
      phone: orNull,
      language: orNull,
      time_zone: orNull,
    }),
    tags: z.array(z.string()),
    requests: z.array(request).meta({ description: 'All attempts, oldest first.' }),
    started_flows: z
      .array(z.object({ ...at, flow_id: z.string(), mode: z.enum(['child', 'switch']), params: anyJson }))
      .meta({ description: 'Flows that `start_flow` blocks started. They are not walked.' }),
    inputs: z.array(routed).meta({ description: 'The result of each input that was processed.' }),
  })
  .meta({ id: 'Simulation' });

export type SimulationResult = z.output<typeof simulationResult>;

/** A simulation as the API shows it. */
export const showSimulated = (
  { contact, steps, messages, changes, requests, startedFlows, routed: inputs, ...state }: Simulated,
  { seed }: { seed: number },
): SimulationResult => ({
  status: state.status,
  waiting: state.waiting,
  block_id: state.blockId,
  wakes_at: state.wakeAt?.toISOString() ?? null,
  reason: state.reason,
  now: state.now.toISOString(),
  seed,
  steps: steps.map(({ run, order: place, blockId, visit, port, reason, enteredAt, leftAt }) => ({
    order: place,
    run,
    block_id: blockId,
    visit,
    port,
    reason,
    entered_at: enteredAt.toISOString(),
    left_at: leftAt?.toISOString() ?? null,
  })),
  messages: messages.map(({ run, order: place, blockId, text, imageUrl, attachments, quickReplies, sentAt }) => ({
    order: place,
    run,
    block_id: blockId,
    text,
    image_url: imageUrl ?? null,
    attachments: (attachments ?? []).map(tellFile),
    quick_replies: [...(quickReplies ?? [])],
    sent_at: sentAt.toISOString(),
  })),
  changes: changes.map(({ run, order: place, blockId, type, name, value }) => ({
    order: place,
    run,
    block_id: blockId,
    type,
    name,
    value,
  })),
  fields: { ...contact.fields },
  contact: {
    id: contact.id,
    first_name: contact.firstName,
    last_name: contact.lastName,
    email: contact.email,
    phone: contact.phone,
    language: contact.language,
    time_zone: contact.timeZone,
  },
  tags: [...contact.tags].sort(),
  requests: requests.map((one) => ({ order: one.order, ...showRequest(one) })),
  started_flows: startedFlows.map(({ run, order: place, blockId, flowId, mode, params }) => ({
    order: place,
    run,
    block_id: blockId,
    flow_id: flowId,
    mode,
    params,
  })),
  inputs: inputs.map(({ at: time, ...input }) => ({ ...input, at: time.toISOString() })),
});

const showRequest = (one: Omit<SimulatedRequest, 'order'>) => ({
  run: one.run,
  block_id: one.blockId,
  visit: one.visit,
  item_index: one.itemIndex,
  try: one.attempt,
  method: one.method,
  url: one.url,
  headers: one.requestHeaders,
  body: one.requestBody,
  mocked: one.isMocked,
  status_code: one.statusCode,
  response_headers: one.responseHeaders,
  response_body: one.responseBody,
  response_truncated: one.responseTruncated,
  reason: one.reason,
  detail: one.detail,
  port: one.port,
  sent_at: one.sentAt.toISOString(),
});

/** Adds the requests that were really sent, in order, and that the result does not tell, because the simulation ended before it took their answers. */
export const tellSent = (
  result: SimulationResult,
  sent: readonly Omit<SimulatedRequest, 'order'>[],
): SimulationResult => {
  const told = result.requests.filter(({ mocked }) => !mocked).length;
  const { steps, messages, changes, requests, inputs } = result;
  const last = Math.max(0, ...[steps, messages, changes, requests, inputs].map((list) => list.at(-1)?.order ?? 0));
  const untold = sent.slice(told).map((one, index) => ({ ...showRequest(one), order: last + 1 + index }));
  return { ...result, requests: [...requests, ...untold] };
};

/** The same as an agent may see it: as `showRequestToAgent` shows requests. */
export const hideRequests = (result: SimulationResult): SimulationResult => ({
  ...result,
  requests: result.requests.map((one) => ({
    ...one,
    url: maskUrl(one.url),
    headers: null,
    body: null,
    response_headers: null,
    response_body: null,
  })),
});

type Unshown = Pick<Simulation, 'seed' | 'now' | 'contact'> & { reason: string };

/** An empty result with its reason, where one pass took too much CPU time or the result is too large. */
export const showNothing = ({ seed, now, contact, reason }: Unshown): SimulationResult =>
  showSimulated(
    {
      status: 'waiting',
      waiting: 'limit',
      reason,
      blockId: null,
      wakeAt: null,
      now: new Date(now),
      steps: [],
      messages: [],
      changes: [],
      contact,
      requests: [],
      startedFlows: [],
      routed: [],
    },
    { seed: Number(seed) },
  );
