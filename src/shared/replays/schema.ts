import { z } from 'zod';
import type { ReplayableStatus } from './filter.ts';
import { deliveryFilters } from '../deliveries/schema.ts';
import { showId } from '../ids.ts';
import { dashboardWebhookBody } from '../webhooks/schema.ts';
import type { AskedFilter } from './manage.ts';
import type { ReplayRow } from './queries.ts';
import { replayStatuses } from './types.ts';

const replayableStatuses = [
  'delivered',
  'failed',
  'dropped',
  'parked',
  'cancelled',
] as const satisfies readonly ReplayableStatus[];

const replayPace = z.int().min(1).max(200).meta({ description: 'Deliveries begun every second.' });

/** As many as a modest receiver takes beside its daily traffic. */
export const defaultPace = 20;

/** As in the delivery log. */
const { webhook_id, since, until } = deliveryFilters;

/** What shall be replayed. Test events never are. */
export const newReplay = z
  .strictObject({
    webhook_id,
    since,
    until,
    status: z
      .array(z.enum(replayableStatuses, { error: `must be of ${replayableStatuses.join(', ')}` }))
      .min(1)
      .max(replayableStatuses.length)
      .transform((statuses) => [...new Set(statuses)])
      .default(['failed', 'dropped', 'parked']),
    pace: replayPace.default(defaultPace),
  })
  .refine(({ since, until }) => since === undefined || until === undefined || since < until, {
    path: ['until'],
    message: 'must be later than since',
  })
  .meta({ id: 'NewReplay' });

/** What a request asks for, as the domain has it. */
export const readFilter = ({ webhook_id, status, since, until }: z.infer<typeof newReplay>): AskedFilter => ({
  webhookId: webhook_id ?? null,
  statuses: status,
  since: since ?? null,
  until: until ?? null,
});

/** How many deliveries a replay would look at. */
export const replayPreview = z.object({ count: z.int() }).meta({ id: 'ReplayPreview' });

/** A bulk replay. */
export const replayBody = z
  .object({
    id: z.string(),
    status: z.enum(replayStatuses),
    stop_reason: z
      .enum(['webhook_disabled', 'webhook_deleted', 'plan_lapsed'])
      .nullable()
      .meta({ description: 'Why it stopped by itself; null when it was asked to.' }),
    filter: z.object({
      webhook_id: z.string().nullable(),
      variants: z.array(z.enum(['api', 'dashboard'])),
      status: z.array(z.enum(replayableStatuses)),
      since: z.iso.datetime().nullable(),
      until: z.iso.datetime().nullable(),
    }),
    pace: z.int(),
    total: z.int().meta({ description: 'Deliveries that matched when it was made.' }),
    replayed: z.int(),
    skipped: z.int().meta({ description: 'Were being sent already, or their webhook may not be sent to.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Replay' });

/** What a re-enabled webhook is sent of what was parked for it. */
const parkedChoice = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('all') }),
    z.strictObject({ type: z.literal('since'), since: deliveryFilters.since.unwrap() }),
  ])
  .meta({ id: 'ParkedChoice' });

export type ParkedChoice = z.infer<typeof parkedChoice>;

/** The body of a re-enabling, which may be left out: nothing is replayed then. */
export const reEnabling = z
  .strictObject({ replay: parkedChoice.default({ type: 'none' }) })
  .prefault({})
  .meta({ id: 'ReEnabling' });

/** The webhook, and the replay of what was parked, when it was re-enabled and one was asked for. */
export const reEnabledBody = dashboardWebhookBody
  .extend({ replay: replayBody.nullable() })
  .meta({ id: 'ReEnabledWebhook' });

/** A bulk replay as the API and the CLI show it. */
export const showReplay = (row: ReplayRow): z.infer<typeof replayBody> => ({
  id: showId('replay', row.id),
  status: row.status,
  stop_reason: row.stopReason,
  filter: {
    webhook_id: row.webhookId === null ? null : showId('webhook', row.webhookId),
    variants: [...row.variants],
    status: [...row.statuses],
    since: row.since?.toISOString() ?? null,
    until: row.until?.toISOString() ?? null,
  },
  pace: row.pace,
  total: row.total,
  replayed: row.replayed,
  skipped: row.skipped,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  finished_at: row.finishedAt?.toISOString() ?? null,
});
