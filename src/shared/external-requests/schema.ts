import { z } from 'zod';
import { smallJson, smallRecord } from '../custom-fields/json.ts';
import { anyJson, asStored, codec, id, nullable, time, type Field, type RowOf } from '../codec.ts';
import { fieldTypes } from '../custom-fields/values.ts';
import { maskUrl } from '../platform/mask-url.ts';
import type { TestedRequest } from './test-request.ts';

const utf8: Field<Uint8Array, z.ZodString> = { schema: z.string(), show: (bytes) => new TextDecoder().decode(bytes) };

const orNull = nullable(asStored(z.string()));

const at = { path: z.string(), field: z.string(), type: z.enum(fieldTypes).nullable() };

/** What a mapping came to. A long value is shown as the beginning of its JSON. */
const mappedField = z.discriminatedUnion('outcome', [
  z.object({ ...at, outcome: z.literal('set'), value: anyJson }),
  z.object({ ...at, outcome: z.enum(['cleared', 'kept']) }),
  z.object({ ...at, outcome: z.literal('failed'), problem: z.string() }),
]);

const forEditors = 'Null for agents.';

const request = codec({
  id: id('request'),
  step: asStored(z.int()),
  block_id: asStored(z.string()),
  item_index: nullable(asStored(z.int()), {
    description: 'The item of `for_each` that it is for, counted from 0; null for a block without.',
  }),
  try: asStored(z.int()),
  state: asStored(
    z.enum(['sending', 'answered', 'failed', 'unknown']).meta({
      description: '`unknown`: the request was interrupted and may have been carried out.',
    }),
  ),
  sent_at: time(),
  duration_ms: nullable(asStored(z.int())),
  method: asStored(z.string()),
  url: asStored(z.string()),
  idempotency_key: asStored(z.string()),
  request_headers: nullable(asStored(z.record(z.string(), z.string())), { description: forEditors }),
  request_body: nullable(utf8, { description: forEditors }),
  status_code: nullable(asStored(z.int())),
  response_headers: nullable(asStored(z.record(z.string(), z.union([z.string(), z.array(z.string())]))), {
    description: forEditors,
  }),
  response_body: nullable(utf8, { description: forEditors }),
  response_truncated: asStored(z.boolean()),
  address: orNull,
  reason: nullable(asStored(z.string()), { description: 'Why there is no good answer; docs/flows.md has the words.' }),
  detail: orNull,
  fields: nullable(asStored(z.array(mappedField))),
  port: nullable(asStored(z.string()), { description: 'The port that the block took after this try.' }),
});

/** An attempt as it is recorded. Secrets are redacted, and bodies are excerpts of 16 KiB. */
export type RequestRow = RowOf<typeof request>;

export const requestBody = request.body.meta({ id: 'ExternalRequest' });

export const showRequest = request.show;

/** The same as an agent may see it: with the url masked as in the flow, and neither headers nor bodies. */
export const showRequestToAgent = (row: RequestRow): z.infer<typeof requestBody> => {
  const shown = showRequest(row);
  return {
    ...shown,
    url: maskUrl(shown.url),
    request_headers: null,
    request_body: null,
    response_headers: null,
    response_body: null,
  };
};

/** More than any block has. */
const blockFieldsAtMost = 100;

/** What a block is tried with: a contact, and what stands in the place of its fields and of what a run brings. */
export const requestToTest = z
  .strictObject({
    contact_id: z.string().max(64).optional(),
    values: smallRecord('Custom and profile fields by name, in the place of those of the contact.').default({}),
    params: smallRecord('What the enrolment brings.').default({}),
    reply: z.string().max(10_000).nullable().default(null).meta({ description: 'The last answer of the contact.' }),
    block: z
      .record(z.string().max(100), z.unknown())
      .refine((block) => Object.keys(block).length <= blockFieldsAtMost, {
        error: `has more than ${blockFieldsAtMost} fields`,
      })
      .optional()
      .meta({
        description: 'The block as it is being edited, in place of that of the draft, which need not have it.',
        maxProperties: blockFieldsAtMost,
      }),
    event: smallJson.prefault(null).meta({ description: 'The event that started or woke the run.' }),
  })
  .meta({ id: 'RequestToTest', example: { values: { size: 'L' } } });

const nothingOf = z.object({ place: z.string(), position: z.int().nullable(), message: z.string() });

/** What a test came to. `problem` says what cannot be rendered; then nothing was sent. */
export const testedRequestBody = z
  .object({
    problem: nothingOf.nullable(),
    method: z.string().nullable(),
    url: z.string().nullable(),
    request_headers: z.record(z.string(), z.string()).nullable(),
    request_body: z.string().nullable(),
    status_code: z.int().nullable(),
    response_headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
    response_body: z.string().nullable(),
    response_truncated: z.boolean(),
    address: z.string().nullable(),
    duration_ms: z.int().nullable(),
    reason: z.string().nullable(),
    detail: z.string().nullable(),
    fields: z.array(mappedField),
    port: z.enum(['success', 'error', 'timeout']).nullable().meta({ description: 'Null where a run would try again.' }),
    retry_in_ms: z.int().nullable(),
  })
  .meta({ id: 'TestedRequest' });

/** A test as the API shows it. */
export const showTestedRequest = (
  tested: Exclude<TestedRequest, { type: 'busy' }>,
): z.infer<typeof testedRequestBody> => {
  if (tested.type === 'unrendered') {
    const { place, position = null, message } = tested.problem;
    return { ...nothingSent, fields: [], problem: { place, position, message } };
  }
  const { attempt, after } = tested;
  return {
    problem: null,
    method: attempt.method,
    url: attempt.url,
    request_headers: attempt.requestHeaders,
    request_body: attempt.requestBody,
    status_code: attempt.statusCode,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    response_truncated: attempt.responseTruncated,
    address: attempt.address,
    duration_ms: attempt.durationMs,
    reason: attempt.reason,
    detail: attempt.detail,
    fields: attempt.fields,
    port: after.type === 'port' ? after.port : null,
    retry_in_ms: after.type === 'retry' ? after.inMs : null,
  };
};

const nothingSent = {
  method: null,
  url: null,
  request_headers: null,
  request_body: null,
  status_code: null,
  response_headers: null,
  response_body: null,
  response_truncated: false,
  address: null,
  duration_ms: null,
  reason: 'invalid_request',
  detail: null,
  port: 'error',
  retry_in_ms: null,
} as const;
