import { z } from 'zod';
import type { ZodOpenApiMediaTypeObject, ZodOpenApiPathItemObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { callbackBody, callbackExample } from '../shared/messages/channels/api/callback.ts';
import { exampleEnvelope } from '../shared/events/samples.ts';
import { envelopeBody } from '../shared/events/schema.ts';
import type { Variant } from '../shared/facts/names.ts';
import { events, type PublicFact } from '../shared/facts/facts.ts';

/** What every POST to a webhook carries (specification 5.6; Standard Webhooks). */
const headers = z.object({
  'X-Service-Signature': z.string().meta({
    description: 'The lowercase hex HMAC-SHA256 of the exact bytes of the body, keyed with the whole secret as text.',
    example: '92dddd8aa9d9c0c27742675673ca09df89a78797dab82427f4414d3a10a994e4',
  }),
  'webhook-id': z.string().meta({
    description: 'The same on every attempt of a delivery: discard duplicates by it.',
    example: 'dlv_01m7yvw2djfakacgxdw00stas2',
  }),
  'webhook-timestamp': z.string().meta({ description: 'The time of sending, in Unix seconds.', example: '1795258452' }),
  'webhook-signature': z.string().meta({
    description: 'Standard Webhooks: v1, and the base64 HMAC-SHA256 of `id.timestamp.body`.',
    example: 'v1,o9BeVtUoYwesun4Ryi4mAHpCqUqbYEevJ0CoEdYdgE0=',
  }),
});

const titles: Record<Variant, string> = {
  api: 'Variant A, registered by the API',
  dashboard: 'Variant B, registered in the dashboard',
};

const schemaNames: Record<Variant, string> = { api: 'Api', dashboard: 'Dashboard' };

const pascalCase = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, first: string) => first.toUpperCase());

/** What receivers get, for the document: one entry for each event with the bodies of its variants, and the challenge. */
export const createWebhooks = (): Record<string, ZodOpenApiPathItemObject> => ({
  ...Object.fromEntries(events.map((event) => [event.name, showEvent(event)])),
  message: showPost('message', {
    summary: 'A message to a contact',
    description:
      "Sent to the `callback_url` of a channel, signed by the channel's secret. Messages of a conversation arrive one at a time. Answer within 10 seconds.",
    content: { schema: callbackBody, example: callbackExample },
    responses: {
      '2XX': { description: 'Taken.' },
      '4XX': {
        description:
          '400, 410, 413, 415 and 422 refuse the message for good: it is failed at once. Others as by default.',
      },
      default: { description: 'Tried again after 30 s, 1, 2, 4 and 8 minutes with the same id and bytes.' },
    },
  }),
  challenge: showPost('challenge', {
    summary: 'The challenge of a webhook',
    description: 'Sent when a webhook is saved in the dashboard, gets another url, or is re-enabled.',
    content: {
      schema: z.strictObject({ challenge: z.string() }).meta({ id: 'Challenge' }),
      example: { challenge: '15lpAeB70-v2yAeF32kDaJj8uHwmAEU5' },
    },
    responses: {
      200: { description: 'The value: as JSON `{"challenge": "…"}`, as a JSON string, or as the bare text.' },
      '4XX': { description: 'The webhook stays as it is.' },
    },
  }),
});

type Post = {
  summary: string;
  description: string;
  content: ZodOpenApiMediaTypeObject;
  responses: ZodOpenApiResponsesObject;
};

/** A signed POST to a receiver. */
const showPost = (name: string, { content, ...told }: Post): ZodOpenApiPathItemObject => ({
  post: {
    ...told,
    operationId: `on${pascalCase(name)}`,
    tags: ['Events'],
    security: [],
    requestParams: { header: headers },
    requestBody: { required: true, content: { 'application/json': content } },
  },
});

const showEvent = ({ name, meaning, variants }: PublicFact): ZodOpenApiPathItemObject => {
  const [body = z.never(), ...more] = variants.map((variant) =>
    envelopeBody(variant, name).meta({
      id: `${schemaNames[variant]}${pascalCase(name)}`,
      description: titles[variant],
    }),
  );
  const examples = variants.map((variant) => [
    variant,
    { summary: titles[variant], value: exampleEnvelope(variant, name) },
  ]);
  return showPost(name, {
    summary: name,
    description: `${meaning}. Sent to webhooks of ${variants.length > 1 ? 'both variants' : 'variant A only'}. Verify the signature over the raw bytes before anything else, answer within 10 seconds, and queue long work.`,
    content: { schema: more.length > 0 ? z.union([body, ...more]) : body, examples: Object.fromEntries(examples) },
    responses: {
      200: { description: 'Taken. Variant A wants exactly 200, variant B takes every 2xx.' },
      401: { description: 'The signature does not match; as every other failure, this is tried again.' },
    },
  });
};
