import { z } from 'zod';
import type { ReplayableStatus } from './filter.ts';
import { deliveryFilters } from '../deliveries/schema.ts';
import { showId } from '../ids.ts';
import { workflowIdOf } from '../platform/temporal/workflow-id.ts';
import type { WorkflowUrl } from '../platform/temporal/workflow-url.ts';
import { checkedApiWebhookBody, dashboardWebhookBody } from '../webhooks/schema.ts';
import { beyondCap, countCap } from './count.ts';
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
  .meta({ id: 'NewReplay', example: { status: ['failed', 'parked'], since: '2026-11-20T00:00:00Z', pace: 20 } });

/** How many deliveries a replay would look at. */
export const replayPreview = z
  .object({
    count: z.int().meta({ description: 'Counted as far as 10,000.' }),
    more: z.boolean().meta({ description: 'Whether there are more than `count`.' }),
  })
  .meta({ id: 'ReplayPreview' });

/** A preview as the API shows it; `counted` by `countMatching`. */
export const showPreview = (counted: number): z.infer<typeof replayPreview> => ({
  count: Math.min(counted, countCap),
  more: counted === beyondCap,
});

/** In an answer about bulk work. */
export const bulkWorkflowUrl = z.string().nullable().meta({
  description: "The workflow that carries it, in Temporal's UI, if the installation has its address.",
});

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
      lost_since: z.iso.datetime().nullable().meta({
        description: 'For a re-enabling: only failed and dropped deliveries that ended after this time.',
      }),
    }),
    pace: z.int(),
    total: z.int().meta({ description: 'Deliveries that matched when it was made, counted as far as 10,000.' }),
    more_than_total: z
      .boolean()
      .meta({ description: 'Whether there are more than `total`, which grows then with what was looked at.' }),
    replayed: z.int(),
    skipped: z.int().meta({ description: 'Were being sent already, or their webhook may not be sent to.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    workflow_url: bulkWorkflowUrl,
  })
  .meta({ id: 'Replay' });

/**
 * What a re-enabled webhook is sent: all that is parked, and that failed or was dropped since its last success; what was parked
 * since a time; or nothing.
 */
const replayChoice = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }).meta({ id: 'ReplayNone' }),
    z.strictObject({ type: z.literal('all') }).meta({ id: 'ReplayAll' }),
    z.strictObject({ type: z.literal('since'), since: deliveryFilters.since.unwrap() }).meta({ id: 'ReplaySince' }),
  ])
  .meta({
    id: 'ReplayChoice',
    description:
      '`all`: what is parked, and what failed or was dropped since the last success. `since`: what was parked since then. `none`: nothing.',
  });

export type ReplayChoice = z.infer<typeof replayChoice>;

/** The body of a re-enabling, which may be left out: nothing is replayed then. */
export const reEnabling = z
  .strictObject({ replay: replayChoice.default({ type: 'none' }) })
  .prefault({})
  .meta({ id: 'ReEnabling' });

const found = z.int();

const foundByStatus = z.object({ parked: found, failed: found, dropped: found });

/** How many deliveries of each status a replay finds, each as `countMatching` counts. */
export type FoundByStatus = z.infer<typeof foundByStatus>;

/** What a re-enabling would replay now. */
export const reEnablingPreview = z
  .object({
    replay_found: foundByStatus.nullable().meta({
      description: 'How many of each the replay would find; 10,001 is that many or more. Null for none.',
    }),
  })
  .meta({ id: 'ReEnablingPreview' });

/** The replay that a re-enabling began, and how many of each it found; null when the webhook stays disabled or none was chosen. */
const begunReplay = z.object({
  replay: replayBody.nullable(),
  replay_found: foundByStatus
    .nullable()
    .meta({ description: 'How many of each the replay found; 10,001 is that many or more.' }),
});

export type BegunReplay = z.infer<typeof begunReplay>;

/** The webhook as it is after its check, and the replay that was begun. */
export const reEnabledBody = dashboardWebhookBody.extend(begunReplay.shape).meta({ id: 'ReEnabledWebhook' });

/** The same below /v1. */
export const reEnabledApiBody = checkedApiWebhookBody.extend(begunReplay.shape).meta({ id: 'ReEnabledApiWebhook' });

/** What a re-enabling began, as the API and the CLI show it. */
export const showBegun = (
  { replay, chosen }: { replay: ReplayRow | undefined; chosen: { found: FoundByStatus } | undefined },
  workflowUrl: WorkflowUrl,
): BegunReplay => ({
  replay: replay ? showReplay(replay, workflowUrl) : null,
  replay_found: replay && chosen ? chosen.found : null,
});

/** Of more than were counted, as many as are known by now. */
const showTotal = ({ total, replayed, skipped, status }: ReplayRow) =>
  total === beyondCap
    ? { total: Math.max(countCap, replayed + skipped), more_than_total: status !== 'finished' }
    : { total, more_than_total: false };

/** A bulk replay as the API and the CLI show it. */
export const showReplay = (row: ReplayRow, workflowUrl: WorkflowUrl): z.infer<typeof replayBody> => ({
  id: showId('replay', row.id),
  status: row.status,
  stop_reason: row.stopReason,
  filter: {
    webhook_id: row.webhookId === null ? null : showId('webhook', row.webhookId),
    variants: [...row.variants],
    status: [...row.statuses],
    since: row.since?.toISOString() ?? null,
    until: row.until?.toISOString() ?? null,
    lost_since: row.lostSince?.toISOString() ?? null,
  },
  pace: row.pace,
  ...showTotal(row),
  replayed: row.replayed,
  skipped: row.skipped,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  finished_at: row.finishedAt?.toISOString() ?? null,
  workflow_url: workflowUrl(workflowIdOf('replay', row)) ?? null,
});
