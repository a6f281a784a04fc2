import { z } from 'zod';
import { eventNames, eventsOfVariant, type EventName, type Variant } from '../events/names.ts';
import { showId } from '../ids.ts';
import type { WebhookRow } from './queries.ts';
import { exchangeFailures } from '../platform/egress/exchange-failures.ts';

/** Kept, shown and called exactly as it is given; what only the server can say of it, `findUrlFault` does. */
export const webhookUrl = z
  .string()
  .max(2048)
  .meta({ description: 'HTTPS address that receives the events; publicly reachable, without credentials.' });

const eventList = (names: readonly EventName[]) =>
  z
    .array(z.enum(['*', ...names], { error: `must be one of ${names.join(', ')} or *` }))
    .min(1)
    .max(names.length)
    .superRefine((events, ctx) => {
      if (new Set(events).size < events.length)
        ctx.addIssue({ code: 'custom', message: 'must not name an event twice' });
      if (events.length > 1 && events.includes('*')) ctx.addIssue({ code: 'custom', message: '* must stand alone' });
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
export const newApiWebhook = z.strictObject({ url: webhookUrl, events, secret }).meta({
  id: 'NewWebhook',
  example: {
    url: 'https://example.com/parley',
    events: ['new_message', 'new_contact'],
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
});

export const apiWebhookChanges = newApiWebhook.partial().meta({ id: 'WebhookChanges', example: { events: ['*'] } });

/** Variant B's registration: its secret is the account's, and it has no conversation_closed (specification 6.1). */
export const newDashboardWebhook = z
  .strictObject({ url: webhookUrl, events: eventList(eventsOfVariant('dashboard')) })
  .meta({ id: 'NewDashboardWebhook', example: { url: 'https://example.com/parley', events: ['*'] } });

/** The dashboard changes webhooks of both variants; what B does not list is refused when the variant is known. */
export const dashboardWebhookChanges = z
  .strictObject({ url: webhookUrl, events })
  .partial()
  .meta({ id: 'DashboardWebhookChanges' });

export type WebhookChanges = z.infer<typeof apiWebhookChanges>;

/** A webhook as specification 2.1 has it: these five fields. */
export const webhookBody = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    status: z.enum(['active', 'disabled']),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });

/** What came back from the endpoint when it was last asked; `latency_ms` runs to the answer's headers, or to the failure. */
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
          '`status`: not 200. `challenge`: 200 without the value. `busy`: nothing was sent, try again. Else what kept the answer away.',
      }),
    message: z.string().nullable(),
    status: z.int().nullable(),
    latency_ms: z.int(),
    address: z.string().nullable(),
    excerpt: z.string().nullable(),
  })
  .meta({ id: 'EndpointCheck' });

export type EndpointCheck = z.infer<typeof endpointCheck>;

const disabling = {
  disabled_reason: z.enum(['unverified', 'failures']).nullable(),
  disabled_at: z.iso.datetime().nullable(),
};

/** Counting unfinished deliveries ends here, which bounds what it costs, however much has piled up. */
export const backlogCap = 10_001;

/** In a list of webhooks: an account may have a hundred. */
export const backlogCapOfLists = 1_001;

const backlogCount = z.int().meta({
  description: `Counted up to ${backlogCap}, in a list up to ${backlogCapOfLists}, which means that many or more.`,
});

const backlog = z.object({ pending: backlogCount, retrying: backlogCount, parked: backlogCount });

/** Unfinished deliveries of a webhook. */
export type Backlog = z.infer<typeof backlog>;

/** A webhook of variant A as it is read below /v1: those five fields, why and since when it is disabled, and what waits for it. */
export const apiWebhookBody = webhookBody.extend({ ...disabling, backlog }).meta({ id: 'ApiWebhook' });

/** The same when its endpoint was just asked. */
export const checkedApiWebhookBody = webhookBody.extend({ ...disabling, last_check: endpointCheck.nullable() });

/** A webhook of either variant as the dashboard shows it. */
export const dashboardWebhookBody = webhookBody
  .extend({
    variant: z.enum(['api', 'dashboard']),
    ...disabling,
    pending_url: z
      .string()
      .nullable()
      .meta({ description: 'Takes the place of `url` when its challenge has passed; POST …/verify tries again.' }),
    verified_at: z.iso.datetime().nullable(),
    last_check: endpointCheck.nullable(),
  })
  .meta({ id: 'DashboardWebhook' });

/** The same with its unfinished deliveries, which a list does not count. */
export const dashboardWebhookDetailBody = dashboardWebhookBody
  .extend({ backlog })
  .meta({ id: 'DashboardWebhookDetail' });

/** The five fields of specification 2.1; the secret is not among the columns that are read. */
export const showWebhook = (row: WebhookRow): z.infer<typeof webhookBody> => ({
  id: showId('webhook', row.id),
  url: row.url,
  events: row.events,
  status: row.status,
  created_at: row.createdAt.toISOString(),
});

const showDisabling = ({ disabledReason, disabledAt }: WebhookRow) => ({
  disabled_reason: disabledReason,
  disabled_at: disabledAt?.toISOString() ?? null,
});

/** A webhook as /v1 shows it to who reads it. */
export const showApiWebhook = (row: WebhookRow, backlog: Backlog): z.infer<typeof apiWebhookBody> => ({
  ...showWebhook(row),
  ...showDisabling(row),
  backlog,
});

/** A webhook as /v1 shows it when its endpoint was just asked. */
export const showCheckedApiWebhook = (row: WebhookRow): z.infer<typeof checkedApiWebhookBody> => ({
  ...showWebhook(row),
  ...showDisabling(row),
  last_check: row.lastCheck,
});

/** The dashboard's view of a webhook. */
export const showDashboardWebhook = (row: WebhookRow): z.infer<typeof dashboardWebhookBody> => ({
  ...showWebhook(row),
  variant: row.variant,
  ...showDisabling(row),
  pending_url: row.pendingUrl,
  verified_at: row.verifiedAt?.toISOString() ?? null,
  last_check: row.lastCheck,
});

/** A webhook as the dashboard's own page shows it. */
export const showDashboardWebhookDetail = (
  row: WebhookRow,
  backlog: Backlog,
): z.infer<typeof dashboardWebhookDetailBody> => ({ ...showDashboardWebhook(row), backlog });

/** The names that this variant does not list (specification 6.1). */
export const foreignEvents = (variant: Variant, names: readonly string[]): string[] =>
  names.filter((name) => name !== '*' && !eventsOfVariant(variant).some((listed) => listed === name));
