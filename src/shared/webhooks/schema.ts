import { z } from 'zod';
import { asStored, codec, id, nullable, time, type RowOf } from '../codec.ts';
import { eventNames, eventsOfVariant, type EventName, type Variant } from '../facts/names.ts';
import { exchangeFailures } from '../platform/egress/exchange-failures.ts';
import { endpointUrl } from '../signing/endpoint-url.ts';
import { warnings } from '../warnings.ts';
import { webhookHealth, type WebhookHealth } from './health-schema.ts';

/**
 * The most webhooks of an account: those that are there, and with those that it has deleted and retention has not removed yet. An event makes a
 * delivery for each that is there, so this bounds the cost of a write. The delivery log is read webhook by webhook, deleted ones among them.
 */
export const webhooksPerAccount = { present: 100, withDeleted: 1_000 } as const;

const url = endpointUrl.meta({
  description: 'HTTPS address that receives the events; publicly reachable, without credentials.',
});

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the schema's own type has the names
const eventList = <Name extends EventName>(names: readonly Name[]) =>
  z
    .array(z.enum(['*', ...names], { error: `must be one of ${names.join(', ')} or *` }))
    .min(1)
    .max(names.length)
    .superRefine((events, ctx) => {
      if (new Set(events).size < events.length)
        ctx.addIssue({ code: 'custom', message: 'must not name an event twice' });
      if (events.length > 1 && events.some((name) => name === '*'))
        ctx.addIssue({ code: 'custom', message: '* must stand alone' });
    })
    .meta({ description: 'The events subscribed to; the single element * means all.' });

const events = eventList(eventNames);

/** Used exactly as it is given: nothing is trimmed. */
const secret = z
  .string()
  .min(1)
  .max(512)
  .meta({ description: 'Key of the HMAC-SHA256 signatures, chosen by the caller; never returned.' });

/** Variant A's registration (specification 4.2). */
export const newApiWebhook = z.strictObject({ url, events, secret }).meta({
  id: 'NewWebhook',
  example: {
    url: 'https://example.com/parley',
    events: ['new_message', 'new_contact'],
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
});

export const apiWebhookChanges = newApiWebhook.partial().meta({ id: 'WebhookChanges', example: { events: ['*'] } });

/** Variant B's registration. Its secret is the account's, and it has no conversation_closed (specification 6.1). */
export const newDashboardWebhook = z
  .strictObject({ url, events: eventList(eventsOfVariant('dashboard')) })
  .meta({ id: 'NewDashboardWebhook', example: { url: 'https://example.com/parley', events: ['*'] } });

/** The dashboard changes webhooks of both variants. Events that B does not list are refused when the variant is known. */
export const dashboardWebhookChanges = z
  .strictObject({ url, events })
  .partial()
  .meta({ id: 'DashboardWebhookChanges' });

export type WebhookChanges = z.infer<typeof apiWebhookChanges>;

/** What the endpoint answered when it was last asked. `latency_ms` runs to the answer's headers, or to the failure. */
const endpointCheck = z
  .object({
    at: z.iso.datetime(),
    url: z.string(),
    ok: z.boolean(),
    reason: z
      .enum(['status', 'challenge', 'busy', ...exchangeFailures])
      .nullable()
      .meta({
        description:
          '`status`: not 200. `challenge`: 200 without the value. `busy`: nothing was sent, try again. Otherwise the cause that there was no answer.',
      }),
    message: z.string().nullable(),
    status: z.int().nullable(),
    latency_ms: z.int(),
    address: z.string().nullable(),
    excerpt: z.string().nullable().meta({ description: 'Of the body of the answer. Agents get none.' }),
  })
  .meta({ id: 'EndpointCheck' });

export type EndpointCheck = z.infer<typeof endpointCheck>;

/** Unfinished deliveries are counted up to this number, which bounds the cost of counting. */
export const backlogCap = 10_001;

/** The same in a list of webhooks, of which an account may have a hundred. */
export const backlogCapOfLists = 1_001;

const backlogCount = z.int().meta({
  description: `Counted up to ${backlogCap}, in a list up to ${backlogCapOfLists}, which means that many or more.`,
});

const backlog = z.object({ pending: backlogCount, retrying: backlogCount, parked: backlogCount });

/** Unfinished deliveries of a webhook. */
export type Backlog = z.infer<typeof backlog>;

/** A webhook as specification 2.1 has it: these five fields. */
const five = {
  id: id('webhook'),
  url: asStored(z.string()),
  events: asStored(z.array(z.string())),
  status: asStored(z.enum(['active', 'disabled'])),
  created_at: time(),
};

const disabling = {
  disabled_reason: nullable(asStored(z.enum(['unverified', 'failures']))),
  disabled_at: nullable(time()),
};

const lastCheck = { last_check: nullable(asStored(endpointCheck)) };

const registered = codec(five);
const ofApi = codec({ ...five, ...disabling });
const checkedOfApi = codec({ ...five, ...disabling, ...lastCheck });
const ofDashboard = codec({
  ...five,
  variant: asStored(z.enum(['api', 'dashboard'])),
  ...disabling,
  pending_url: nullable(asStored(z.string()), {
    description: 'Replaces `url` once it passes its challenge; POST …/verify tries again.',
  }),
  verified_at: nullable(time()),
  ...lastCheck,
});

/** A webhook as it is stored, without its secret; ids are UUIDs. */
export type WebhookRow = RowOf<typeof ofDashboard> & { accountId: string; generation: number };

/** The answer to a registration by /v1. The secret is not among the columns that are read. */
export const webhookBody = registered.body.extend({ warnings }).meta({ id: 'Webhook' });
export const showWebhook = registered.show;

/** A webhook of variant A as /v1 shows it: also why and since when it is disabled, and what waits for it. */
export const apiWebhookBody = ofApi.body.extend({ backlog, warnings }).meta({ id: 'ApiWebhook' });
export const showApiWebhook = (row: WebhookRow, waiting: Backlog) => ({ ...ofApi.show(row), backlog: waiting });

/** The same with the check of its endpoint. */
export const checkedApiWebhookBody = checkedOfApi.body;
export const showCheckedApiWebhook = checkedOfApi.show;

/** A webhook of either variant as the dashboard shows it. */
export const dashboardWebhookBody = ofDashboard.body.extend({ warnings }).meta({ id: 'DashboardWebhook' });
export const showDashboardWebhook = ofDashboard.show;

/** The same with its unfinished deliveries, and how the others have gone. */
export const dashboardWebhookDetailBody = ofDashboard.body
  .extend({ backlog, health: webhookHealth })
  .meta({ id: 'DashboardWebhookDetail' });
export const showDashboardWebhookDetail = (row: WebhookRow, waiting: Backlog, health: WebhookHealth) => ({
  ...ofDashboard.show(row),
  backlog: waiting,
  health,
});

/** The names that this variant does not list (specification 6.1). */
export const foreignEvents = (variant: Variant, names: readonly string[]): string[] =>
  names.filter((name) => name !== '*' && !eventsOfVariant(variant).some((listed) => listed === name));

/** The largest body whose signature is checked, in characters, and the largest request, in bytes, in which they may be escaped. */
const checkedBodyLength = 256 * 1024;
export const signatureToCheckLimit = 4 * checkedBodyLength;

/** What a receiver got, or computed, and wants to have explained. */
export const signatureToCheck = z
  .strictObject({
    body: z.string().max(checkedBodyLength).meta({ description: 'The body of a delivery, exactly as it arrived.' }),
    signature: z
      .string()
      .min(1)
      .max(1_000)
      .meta({ description: 'The value of `X-Service-Signature`, or of `webhook-signature`.' }),
    id: z.string().max(200).optional().meta({ description: '`webhook-id`, which `webhook-signature` covers, too.' }),
    timestamp: z.string().max(20).optional().meta({ description: '`webhook-timestamp`, which it covers as well.' }),
  })
  .meta({
    id: 'SignatureToCheck',
    example: {
      body: '{"id":"dlv_01jd6z3qf5e8pb2zv0w8c4x1kn","event":"new_contact"}',
      signature: 'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8',
    },
  });

export type SignatureToCheck = z.infer<typeof signatureToCheck>;

const signatureProblem = z.object({
  code: z.enum([
    'not_a_signature',
    'needs_id_and_timestamp',
    'surrounded',
    'upper_case',
    'base64',
    'body_surrounded',
    'body_reformatted',
    'decoded_key',
    'whole_key',
    'mismatch',
  ]),
  message: z.string(),
});

export type SignatureProblem = z.infer<typeof signatureProblem>;

export const signatureCheckBody = z
  .object({
    valid: z.boolean().meta({ description: 'Whether it is right as it is.' }),
    header: z.enum(['X-Service-Signature', 'webhook-signature']).nullable().meta({
      description: 'Which header it is by its form; null for neither.',
    }),
    secret: z.enum(['present', 'previous']).nullable().meta({
      description:
        'Which secret made it, also where something else is wrong; null for none. `previous` is the one before a rotation of the last 24 hours.',
    }),
    problems: z.array(signatureProblem).meta({ description: 'The problems: fix all of them for a valid signature.' }),
  })
  .meta({ id: 'SignatureCheck' });

export type SignatureCheck = z.infer<typeof signatureCheckBody>;
