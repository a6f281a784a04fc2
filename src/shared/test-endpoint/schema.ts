import { z } from 'zod';
import { anyJson, asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import type { Json } from '../platform/json/json.ts';

/** What the test endpoint keeps of an account, at most. Beyond that it answers as ever, and keeps less. */
export const keptAtMost = {
  requests: 100,
  forMs: 3_600_000,
  /** Of one body. */
  bodyBytes: 65_536,
  perSecond: 20,
} as const;

/** The longest delay of an answer, in ms. It exceeds the 10 s that deliveries wait, so that a timeout can be seen. */
const longestDelayMs = 15_000;

const longestBody = 65_536;

const status = z.int().min(200).max(599).meta({ description: 'Without a Location header, also where it redirects.' });
const delayMs = z.int().min(0).max(longestDelayMs).meta({ description: 'Milliseconds before it answers.' });
const bodyMeta = { description: 'The JSON that it answers; null for no body.' };

const answerBody = z.object({ status, body: anyJson.meta(bodyMeta), delay_ms: delayMs });

/** The answer that the endpoint gives from now on. */
export const testAnswerChanges = z
  .strictObject({
    status,
    body: z
      .custom<Json>((value) => value !== undefined && JSON.stringify(value).length <= longestBody, {
        error: `must be at most ${longestBody} characters of JSON`,
      })
      .meta({ ...bodyMeta, override: bodyMeta }),
    delay_ms: delayMs,
  })
  .partial()
  .meta({ id: 'TestAnswerChanges', example: { status: 503, delay_ms: 2_000 } });

export type TestAnswerChanges = z.infer<typeof testAnswerChanges>;

export const testEndpointBody = z
  .object({
    url: z.string().meta({ description: "The account's own address there. Whatever follows its path is kept, too." }),
    answer: answerBody,
  })
  .meta({ id: 'TestEndpoint' });

const results = ['valid', 'invalid', 'unsigned', 'no_webhook', 'unchecked'] as const;
const signature = z.enum(['valid', 'invalid', 'missing']);

const verification = z
  .object({
    result: z.enum(results).meta({
      description:
        '`no_webhook`: signed, and no webhook of the account has this address. `unchecked`: its body was too large, or the check failed.',
    }),
    service_signature: signature.meta({ description: 'X-Service-Signature' }),
    standard_signature: signature.meta({ description: 'webhook-signature' }),
    secret: z
      .enum(['present', 'previous'])
      .nullable()
      .meta({ description: 'The secret that signed. A replaced one signs for a day.' }),
    webhook_id: id('webhook').schema.nullable().meta({ description: 'The webhook whose secret it is.' }),
    message: z.string().nullable().meta({ description: 'The problem.' }),
  })
  .meta({ id: 'TestVerification' });

/** Whether a request is signed by a webhook of the account, as it was when it came. */
export type Verification = z.infer<typeof verification>;

/** A noun that only this folder names. */
export const testRequest = { name: 'request', prefix: 'treq' } as const;

const summary = {
  id: id(testRequest),
  received_at: time(),
  method: asStored(z.string()),
  path: asStored(z.string().meta({ description: "What follows the account's address, with its query." })),
  kind: asStored(
    z.enum(['event', 'challenge', 'other']).meta({ description: '`other`: of a flow, a channel, or anything else.' }),
  ),
  event: nullable(asStored(z.string()), { description: 'The name of the event.' }),
  body_bytes: asStored(z.int().meta({ description: `As it came. The first ${keptAtMost.bodyBytes} are kept.` })),
  verification: asStored(verification),
  answered_status: asStored(z.int()),
};

const ofList = codec(summary);
const detail = codec({
  ...summary,
  headers: asStored(
    z
      .array(z.object({ name: z.string(), value: z.string() }))
      .meta({ description: 'Values that are secrets by custom are redacted; signatures are shown.' }),
  ),
  body: asStored(z.string().meta({ description: 'As UTF-8.' })),
  body_truncated: asStored(z.boolean()),
});

/** A request as it is kept; its id is a UUID. */
export type KeptRequest = RowOf<typeof detail>;

const testRequestSummary = ofList.body.meta({ id: 'TestRequestSummary' });
export const showTestRequestSummary = ofList.show;

export const testRequestBody = detail.body.meta({ id: 'TestRequest' });
export const showTestRequest = detail.show;

export const testRequestsBody = z
  .object({
    data: z.array(testRequestSummary).meta({ description: 'Newest first.' }),
    not_kept: z.int().meta({
      description: `Requests of the last hour that were answered only: more than ${keptAtMost.perSecond} came in a second.`,
    }),
  })
  .meta({ id: 'TestRequests' });
