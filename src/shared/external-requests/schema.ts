import { z } from 'zod';
import { asStored, codec, id, nullable, time, type Field, type RowOf } from '../codec.ts';
import { fieldTypes } from '../custom-fields/values.ts';

const utf8: Field<Uint8Array, z.ZodString> = { schema: z.string(), show: (bytes) => new TextDecoder().decode(bytes) };

const orNull = nullable(asStored(z.string()));

const at = { path: z.string(), field: z.string(), type: z.enum(fieldTypes).nullable() };

/** What a mapping came to. A long value is shown as the beginning of its JSON. */
const mappedField = z.discriminatedUnion('outcome', [
  z.object({ ...at, outcome: z.literal('set'), value: z.json() }),
  z.object({ ...at, outcome: z.enum(['cleared', 'kept']) }),
  z.object({ ...at, outcome: z.literal('failed'), problem: z.string() }),
]);

const request = codec({
  id: id('request'),
  step: asStored(z.int()),
  block_id: asStored(z.string()),
  try: asStored(z.int()),
  state: asStored(
    z.enum(['sending', 'answered', 'failed', 'unknown']).meta({
      description: '`unknown`: it was broken off, and nobody can tell what became of it.',
    }),
  ),
  sent_at: time(),
  duration_ms: nullable(asStored(z.int())),
  method: asStored(z.string()),
  url: asStored(z.string()),
  idempotency_key: asStored(z.string()),
  request_headers: nullable(asStored(z.record(z.string(), z.string()))),
  request_body: nullable(utf8),
  status_code: nullable(asStored(z.int())),
  response_headers: nullable(asStored(z.record(z.string(), z.union([z.string(), z.array(z.string())])))),
  response_body: nullable(utf8),
  response_truncated: asStored(z.boolean()),
  address: orNull,
  reason: nullable(asStored(z.string()), { description: 'Why there is no good answer; docs/flows.md has the words.' }),
  detail: orNull,
  fields: nullable(asStored(z.array(mappedField))),
  port: nullable(asStored(z.string()), { description: 'The port that the block took after this try.' }),
});

/** A try as it is recorded. Secrets are redacted, and bodies are excerpts of 16 KiB. */
export type RequestRow = RowOf<typeof request>;

export const requestBody = request.body.meta({ id: 'ExternalRequest' });

export const showRequest = request.show;

/** The same without what was written and answered, for agents. */
export const withoutBodies = (shown: z.infer<typeof requestBody>): z.infer<typeof requestBody> => ({
  ...shown,
  request_body: null,
  response_body: null,
});
