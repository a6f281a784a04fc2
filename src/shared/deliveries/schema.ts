import { z } from 'zod';
import { asStored, codec, id, nullable, time, type Field, type RowOf, idOf } from '../codec.ts';
import { eventNames, variants, type EventName } from '../facts/names.ts';
import { failureDetails, sayFailure } from '../platform/egress/failure-details.ts';
import { askedTime, onAccountsClock } from '../times/storable-time.ts';
import { roundBody, showRounds, type StoredOrigins } from './origins.ts';
import type { WorkflowUrl } from '../platform/temporal/workflow-url.ts';
import { attemptKinds, deliveryStatuses, parkedReasons } from './types.ts';
import { workflowOf } from './workflow.ts';

const statusList = z
  .string()
  .max(200)
  .transform((text) => text.split(','))
  .pipe(z.array(z.enum(deliveryStatuses, { error: `must be of ${deliveryStatuses.join(', ')}` })).min(1));

/** Filters of the delivery log; ids come out as UUIDs. */
export const deliveryFilters = {
  status: statusList.optional().meta({ description: 'One or several statuses, comma-separated; all if omitted.' }),
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
    .meta({ description: 'Only test events, or none; both if omitted.' }),
  since: askedTime.optional().meta({ description: `Only those created at this time or later. ${onAccountsClock}` }),
  until: askedTime.optional().meta({ description: `Only those created before this time. ${onAccountsClock}` }),
};

const delivery = codec({
  id: id('delivery'),
  webhook_id: id('webhook'),
  event_id: id('event'),
  event: asStored(z.string()),
  variant: asStored(z.enum(variants)),
  contact_id: nullable(id('contact')),
  status: asStored(z.enum(deliveryStatuses)),
  parked_reason: nullable(asStored(z.enum(parkedReasons)), {
    description:
      'Why a parked delivery may not be sent now: its webhook is disabled, or the plan has lapsed. `awaiting_replay` means that it may be sent and waits for a replay.',
  }),
  is_test: asStored(z.boolean()),
  round: asStored(z.int()),
  attempts_made: asStored(z.int().meta({ description: 'Attempts of this round, without manual ones and checks.' })),
  last_status_code: nullable(asStored(z.int()), {
    description: 'The status code of the latest attempt; null without a response.',
  }),
  next_attempt_at: nullable(time()),
  created_at: time(),
  finished_at: nullable(time()),
  without_workflow: asStored(
    z.boolean().meta({
      description:
        'Its round has no workflow: it was finished before one was needed, and there was no room to start one for operators.',
    }),
  ),
});

/** Ids are UUIDs. */
export type DeliveryRow = Omit<RowOf<typeof delivery>, 'event'> & {
  eventName: EventName;
  /** The lost workflows of this round. */
  resumes: number;
  /** Parked at its creation, so that its first round has no workflow. */
  bornParked: boolean;
};

export type DeliveryDetailRow = DeliveryRow & { body: Uint8Array; roundOrigins: StoredOrigins | null };

export const deliveryBody = delivery.body
  .extend({
    workflow_url: z
      .string()
      .nullable()
      .meta({ description: "The round's workflow in Temporal's UI, if the installation has its address." }),
  })
  .meta({ id: 'Delivery' });

/** Shows a delivery in the log. */
export const showDelivery = (row: DeliveryRow, workflowUrl: WorkflowUrl): z.infer<typeof deliveryBody> => ({
  ...delivery.show({ ...row, event: row.eventName }),
  workflow_url: workflowUrl(workflowOf(row)) ?? null,
});

const utf8: Field<Uint8Array, z.ZodString> = { schema: z.string(), show: (bytes) => new TextDecoder().decode(bytes) };

const forEditors = 'Null for agents.';

const attempt = codec({
  round: asStored(z.int()),
  kind: asStored(
    z.enum(attemptKinds).meta({
      description:
        '`manual` was asked for by "retry now". `check` asked, on re-enabling the webhook, whether the endpoint is healthy; the latest 20 of a round are kept.',
    }),
  ),
  number: asStored(z.int()),
  outcome: asStored(z.enum(['succeeded', 'failed'])),
  reason: nullable(asStored(z.string())),
  detail: nullable(asStored(z.enum(failureDetails)), {
    description: "The receiver's exact fault, for the reason `tls`, and for `protocol` if known.",
  }),
  started_at: time(),
  duration_ms: asStored(z.int()),
  address: nullable(asStored(z.string())),
  request_headers: nullable(asStored(z.record(z.string(), z.string())), { description: forEditors }),
  status_code: nullable(asStored(z.int())),
  response_headers: nullable(asStored(z.record(z.string(), z.union([z.string(), z.array(z.string())]))), {
    description: forEditors,
  }),
  response_body: nullable(utf8, { description: forEditors }),
  response_truncated: asStored(z.boolean()),
});

export type AttemptRow = RowOf<typeof attempt>;

/** The latest attempts, oldest first, and the number of all. */
export type LatestAttempts = { latest: AttemptRow[]; count: number };

export const attemptBody = attempt.body
  .extend({ explanation: z.string().nullable().meta({ description: 'The `detail` in words.' }) })
  .meta({ id: 'Attempt' });

/** Shows an attempt in the log. */
export const showAttempt = (row: AttemptRow): z.infer<typeof attemptBody> => ({
  ...attempt.show(row),
  explanation: row.detail && sayFailure(row.detail),
});

export const deliveryDetailBody = deliveryBody
  .extend({
    body: z.string().nullable().meta({ description: 'Null for agents.' }),
    rounds: z.array(roundBody),
    attempts: z.array(attemptBody).meta({ description: 'The latest 50, oldest first.' }),
    attempts_count: z
      .int()
      .meta({ description: 'The number of all attempts; `GET /deliveries/{id}/attempts` lists them.' }),
  })
  .meta({ id: 'DeliveryDetail' });

/** Shows a delivery with its body, rounds and latest attempts. */
export const showDeliveryDetail = (
  row: DeliveryDetailRow,
  { attempts, workflowUrl }: { attempts: LatestAttempts; workflowUrl: WorkflowUrl },
): z.infer<typeof deliveryDetailBody> => ({
  ...showDelivery(row, workflowUrl),
  body: utf8.show(row.body),
  rounds: showRounds(row),
  attempts: attempts.latest.map(showAttempt),
  attempts_count: attempts.count,
});

/** Hides requests and responses from agents. */
export const withoutContents = (delivery: z.infer<typeof deliveryDetailBody>): z.infer<typeof deliveryDetailBody> => ({
  ...delivery,
  body: null,
  attempts: delivery.attempts.map(withoutEvidence),
});

/** Hides an attempt's request and response from agents. */
export const withoutEvidence = (shown: z.infer<typeof attemptBody>): z.infer<typeof attemptBody> => ({
  ...shown,
  request_headers: null,
  response_headers: null,
  response_body: null,
});
