import { z } from 'zod';
import { tlsFailures } from '../platform/egress/tls-failures.ts';
import { eventNames } from '../events/names.ts';
import { parseId, showId, type Noun } from '../ids.ts';
import type { AttemptRow, LatestAttempts } from './attempt-log.ts';
import { roundBody, showRounds } from './origins.ts';
import type { DeliveryDetailRow, DeliveryRow } from './queries.ts';
import type { WorkflowUrl } from '../platform/temporal/workflow-url.ts';
import { attemptKinds, deliveryStatuses, parkedReasons } from './types.ts';
import { workflowOf } from './workflow.ts';

const statusList = z
  .string()
  .max(200)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(deliveryStatuses, { error: `must be of ${deliveryStatuses.join(', ')}` })).min(1));

/** The id of a noun in a query; comes out as a UUID. */
const idOf = (noun: Noun, name: string) =>
  z
    .string()
    .max(64)
    .transform((text, ctx) => {
      const id = parseId(noun, text);
      if (id !== undefined) return id;
      ctx.addIssue({ code: 'custom', message: `is not the id of ${name}` });
      return z.NEVER;
    });

/** PostgreSQL knows no year zero; beyond 9999 ISO 8601 is written otherwise. In UTC, where an offset may lead out of the range. */
const time = z
  .union([z.iso.date().max(10), z.iso.datetime({ offset: true }).max(40)], {
    error: 'must be a date as 2026-01-31, or a time as 2026-01-31T12:00:00Z',
  })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 1 && date.getUTCFullYear() <= 9999, 'must be within the years 1 to 9999');

/** The filters of the delivery log, beside the paging; ids come out as UUIDs. */
export const deliveryFilters = {
  status: statusList
    .optional()
    .meta({ description: 'One status or several with commas between them; all when not given.' }),
  webhook_id: idOf('webhook', 'a webhook').optional(),
  event: z
    .enum(eventNames, { error: `must be of ${eventNames.join(', ')}` })
    .optional()
    .meta({ description: 'The name of the event.' }),
  event_id: idOf('event', 'an event')
    .optional()
    .meta({ description: 'One event, as the answer to an inbound message names it.' }),
  contact_id: idOf('contact', 'a contact').optional(),
  message_id: idOf('message', 'a message').optional(),
  test: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'Test events only, or none of them; both when not given.' }),
  since: time
    .optional()
    .meta({ description: 'Only those made at this time or later. A date alone is its beginning in UTC.' }),
  until: time.optional().meta({ description: 'Only those made before this time, or before this date in UTC.' }),
};

/** One delivery of the log. */
export const deliveryBody = z
  .object({
    id: z.string(),
    webhook_id: z.string(),
    event_id: z.string(),
    event: z.string(),
    variant: z.enum(['api', 'dashboard']),
    contact_id: z.string().nullable(),
    status: z.enum(deliveryStatuses),
    parked_reason: z.enum(parkedReasons).nullable().meta({
      description:
        'Of a parked one, what stands against sending it now: its webhook is disabled, or the plan has lapsed; `awaiting_replay` when nothing does any more.',
    }),
    is_test: z.boolean(),
    round: z.int(),
    attempts_made: z.int().meta({ description: 'Of this round; manual ones and checks are not counted.' }),
    next_attempt_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    workflow_url: z
      .string()
      .nullable()
      .meta({ description: "The round's workflow in Temporal's UI, where the installation says where that is." }),
  })
  .meta({ id: 'Delivery' });

/** One POST and what it came to. What came back is text, at most 16 KiB of it, as UTF-8 reads it. */
export const attemptBody = z
  .object({
    round: z.int(),
    kind: z.enum(attemptKinds).meta({
      description:
        '`manual` by "retry now"; `check` when re-enabling its webhook asked with it whether the endpoint is healthy, of which the latest 20 of a round are kept.',
    }),
    number: z.int(),
    outcome: z.enum(['succeeded', 'failed']),
    reason: z.string().nullable(),
    detail: z
      .enum(tlsFailures)
      .nullable()
      .meta({ description: "What is wrong with the receiver's TLS, where that is known: of the reason `tls`." }),
    started_at: z.iso.datetime(),
    duration_ms: z.int(),
    address: z.string().nullable(),
    request_headers: z.record(z.string(), z.string()).nullable(),
    status_code: z.int().nullable(),
    response_headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
    response_body: z.string().nullable(),
    response_truncated: z.boolean(),
  })
  .meta({ id: 'Attempt' });

/** A delivery with the body that every attempt sends, byte for byte, its rounds and its latest attempts in order. */
export const deliveryDetailBody = deliveryBody
  .extend({
    body: z.string().nullable().meta({ description: 'Null for agents, as the `response_body` of an attempt.' }),
    rounds: z.array(roundBody),
    attempts: z.array(attemptBody).meta({ description: 'The latest 50, in the order in which they were made.' }),
    attempts_count: z.int().meta({ description: 'All that were made; `GET /deliveries/{id}/attempts` lists them.' }),
  })
  .meta({ id: 'DeliveryDetail' });

/** A delivery as the log lists it. */
export const showDelivery = (row: DeliveryRow, workflowUrl: WorkflowUrl): z.infer<typeof deliveryBody> => ({
  id: showId('delivery', row.id),
  webhook_id: showId('webhook', row.webhookId),
  event_id: showId('event', row.eventId),
  event: row.eventName,
  variant: row.variant,
  contact_id: row.contactId === null ? null : showId('contact', row.contactId),
  status: row.status,
  parked_reason: row.parkedReason,
  is_test: row.isTest,
  round: row.round,
  attempts_made: row.attemptsMade,
  next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
  created_at: row.createdAt.toISOString(),
  finished_at: row.finishedAt?.toISOString() ?? null,
  workflow_url: workflowUrl(workflowOf(row)) ?? null,
});

/** An attempt as the log shows it. */
export const showAttempt = (row: AttemptRow): z.infer<typeof attemptBody> => ({
  round: row.round,
  kind: row.kind,
  number: row.number,
  outcome: row.outcome,
  reason: row.reason,
  detail: row.detail,
  started_at: row.startedAt.toISOString(),
  duration_ms: row.durationMs,
  address: row.address,
  request_headers: row.requestHeaders,
  status_code: row.statusCode,
  response_headers: row.responseHeaders,
  response_body: row.responseBody && new TextDecoder().decode(row.responseBody),
  response_truncated: row.responseTruncated,
});

/** A delivery with everything that is known of it. */
export const showDeliveryDetail = (
  row: DeliveryDetailRow,
  { attempts, workflowUrl }: { attempts: LatestAttempts; workflowUrl: WorkflowUrl },
): z.infer<typeof deliveryDetailBody> => ({
  ...showDelivery(row, workflowUrl),
  body: row.body.toString('utf8'),
  rounds: showRounds(row),
  attempts: attempts.latest.map(showAttempt),
  attempts_count: attempts.count,
});

/** A delivery as an agent may see it: neither what was sent nor what came back. */
export const withoutBodies = (delivery: z.infer<typeof deliveryDetailBody>): z.infer<typeof deliveryDetailBody> => ({
  ...delivery,
  body: null,
  attempts: delivery.attempts.map(withoutBody),
});

/** The same of an attempt. */
export const withoutBody = (attempt: z.infer<typeof attemptBody>): z.infer<typeof attemptBody> => ({
  ...attempt,
  response_body: null,
});
