import { z } from 'zod';
import { isHeaderName } from '../../platform/egress/connection-headers.ts';
import { forEachSchema } from './for-each.ts';
import { retrySchema } from './retry-policy.ts';
import { blockSchema, fieldName } from './schemas.ts';
import { successWhenSchema } from './success-when.ts';

/** The most of what a request can have. */
const requestLimits = { headers: 20, query: 50, form: 100, mappings: 50, body: 200_000, url: 4_000 } as const;

const headerName = z.string().refine(isHeaderName, { error: 'is not a valid header name' });

const table = (name: z.ZodString, most: number) =>
  z
    .record(name, z.string().max(5_000))
    .refine((entries) => Object.keys(entries).length <= most, { error: `has more than ${most} entries` })
    .meta({ maxProperties: most });

const mappings = z
  .array(
    z.strictObject({
      path: z.string().min(1).max(500).meta({
        description: 'JSONPath (RFC 9535) such as `$.items[0].left`, or `$status`, `$headers.<name>`, `$body`.',
      }),
      field: fieldName,
      on_missing: z.enum(['keep', 'clear', 'error']).default('keep').meta({
        description: 'Effect on the field when the response has no value at the path, is empty, or is not JSON.',
      }),
      read_as: z.enum(['epoch_seconds', 'epoch_milliseconds', 'rfc2822']).optional().meta({
        description: 'How a time is written that is not ISO 8601, for a field of type date or datetime.',
      }),
    }),
  )
  .max(requestLimits.mappings);

/** The configuration of the block `external_request`. */
export const requestSchema = blockSchema(
  'external_request',
  {
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: z.string().min(1).max(requestLimits.url).meta({
      description: 'Placeholders may stand in the path and in the query; each value is percent-encoded for its place.',
    }),
    credential: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'The name of a credential, sent to its hosts only.' }),
    headers: table(headerName, requestLimits.headers).optional().meta({ description: 'Up to 20, with placeholders.' }),
    query: table(z.string().min(1).max(200), requestLimits.query)
      .optional()
      .meta({ description: 'Up to 50 parameters, with placeholders, encoded; they follow those of the url.' }),
    body_type: z.enum(['json', 'form', 'raw', 'none']).optional().meta({
      description:
        '`form` has `form`, the others `body`. What is not given follows from them: `json` for a body, `form` for a form.',
    }),
    body: z.string().max(requestLimits.body).optional().meta({
      description:
        'With placeholders. In JSON, one within quotes becomes escaped text, and one outside of them JSON of its own type: `{"name": "{{first_name}}", "age": {{age}}}`.',
    }),
    form: table(z.string().min(1).max(200), requestLimits.form)
      .optional()
      .meta({ description: 'Up to 100 values, with placeholders, encoded.' }),
    for_each: forEachSchema.optional().meta({
      description:
        'Makes the request once for each item of a list, one after the other. Each mapped field, of type list or json, gets a list.',
    }),
    success_when: successWhenSchema.optional().meta({
      description: 'Rules that alone decide whether a response is a success, in place of its 2xx status.',
    }),
    mapping: mappings
      .optional()
      .meta({ description: 'Maps values of a successful response to fields. All are written together, or none.' }),
    error_mapping: mappings
      .optional()
      .meta({ description: 'The same for every other response. Each is written by itself.' }),
    timeout_ms: z.int().min(1_000).max(120_000).default(10_000).meta({
      description: 'How long one try may take, from the look-up of the host to the last byte.',
    }),
    attempts: z.int().min(1).max(5).default(3).meta({
      description: 'The most attempts. What is retried: flows.md, External Request.',
    }),
    retry: retrySchema
      .optional()
      .meta({ description: 'When another attempt is made, where it is not as usual: after 1 s, 2 s, 4 s and so on.' }),
    safe_to_repeat: z.boolean().default(false).meta({ description: 'POST and PATCH are tried again like GET.' }),
    follow_redirects: z
      .boolean()
      .default(false)
      .meta({ description: 'Redirects are followed, up to 5; credentials stay at their origin.' }),
  },
  ['success', 'error', 'timeout'],
);

export type ExternalRequest = z.output<typeof requestSchema>;

/** The forms of times that a mapping reads beside ISO 8601. */
export type ReadAs = NonNullable<NonNullable<ExternalRequest['mapping']>[number]['read_as']>;
