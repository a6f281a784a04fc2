import { z } from 'zod';
import { asStored, codec, id, idOf, nullable, time } from '../codec.ts';
import { showId } from '../ids.ts';
import { workflowIdOf } from '../platform/temporal/workflow-id.ts';
import type { WorkflowUrl } from '../platform/temporal/workflow-url.ts';
import { beyondCap, countCap } from '../replays/count.ts';
import { bulkWorkflowUrl } from '../replays/schema.ts';
import type { PreviewedRequest } from './preview.ts';
import type { RetryRow } from './queries.ts';
import { retryStatuses, retryStopReasons } from './types.ts';

/** As many as a modest service takes beside its daily traffic. */
const defaultRetryPace = 20;

/** The most runs that are named by their ids. */
const idsAtMost = 100;

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

const askedRetry = z.strictObject({
  flow_id: idOf('flow', 'a flow'),
  block_id: z.string().min(1).max(64).meta({ description: 'The block at which they have failed, and go on.' }),
  version: z.int().min(1).max(1_000_000_000).optional().meta({ description: 'The live version if omitted.' }),
  reasons: z.array(z.string().max(200)).min(1).max(50).transform(unique).optional().meta({
    description:
      'Only runs that failed for these reasons. All if omitted, but for `outcome_unknown`: name it to include it.',
  }),
  from_versions: z
    .array(z.int().min(1).max(1_000_000_000))
    .min(1)
    .max(50)
    .transform(unique)
    .optional()
    .meta({ description: 'Only runs that failed on these versions.' }),
  run_ids: z
    .array(idOf('run', 'a run'))
    .min(1)
    .max(idsAtMost)
    .transform(unique)
    .optional()
    .meta({ description: 'Only these runs.' }),
});

/** Which failed runs shall go on, and how. */
export const newRetry = askedRetry
  .extend({
    pace: z.int().min(1).max(200).default(defaultRetryPace).meta({ description: 'Runs that go on every second.' }),
  })
  .meta({
    id: 'NewRetry',
    example: { flow_id: 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn', block_id: 'stock', reasons: ['status_500'], pace: 20 },
  });

export const retryToPreview = askedRetry.meta({ id: 'RetryToPreview' });

const text = asStored(z.string());

const previewedRequest = codec({
  run_id: id('run'),
  contact_id: id('contact'),
  method: text,
  url: text,
  idempotency_key: text,
  credential: nullable(text, { description: 'The name of the credential that goes along.' }),
  request_headers: asStored(z.record(z.string(), z.string())),
  request_body: nullable(text, { description: 'Its first 16 KiB.' }),
  items: nullable(asStored(z.int()), {
    description:
      'With `for_each`, how many items the list has. The request is that of the first one, with which the block begins again. Null without.',
  }),
  problem: nullable(text, { description: 'Why it could not be sent.' }),
});

export const retryPreview = z
  .object({
    version: z.int(),
    count: z.int().meta({ description: 'Counted as far as 10,000.' }),
    more: z.boolean().meta({ description: 'Whether there are more than `count`.' }),
    requests: z.array(previewedRequest.body).nullable().meta({
      description: 'What the first five would send, with secrets redacted. Null for a block that makes no request.',
    }),
  })
  .meta({ id: 'RetryPreview' });

export const showRetryPreview = (
  { version, total }: Pick<RetryRow, 'version' | 'total'>,
  requests: readonly PreviewedRequest[] | undefined,
): z.infer<typeof retryPreview> => ({
  version,
  count: Math.min(total, countCap),
  more: total === beyondCap,
  requests: requests?.map(previewedRequest.show) ?? null,
});

/** A bulk retry. */
export const retryBody = z
  .object({
    id: z.string(),
    status: z.enum(retryStatuses),
    stop_reason: z
      .enum(retryStopReasons)
      .nullable()
      .meta({ description: 'Why it stopped by itself; null when it was asked to.' }),
    flow_id: z.string(),
    block_id: z.string(),
    version: z.int().meta({ description: 'The version on which the runs go on.' }),
    reasons: z.array(z.string()).nullable(),
    from_versions: z.array(z.int()).nullable(),
    run_ids: z.array(z.string()).nullable(),
    pace: z.int(),
    total: z.int().meta({ description: 'Runs that matched when it was made, counted as far as 10,000.' }),
    more_than_total: z
      .boolean()
      .meta({ description: 'Whether there are more than `total`, which grows then with what was looked at.' }),
    retried: z.int(),
    refused: z.int().meta({ description: 'Could not go on: docs/flows.md has the reasons.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    finished_at: z.iso.datetime().nullable(),
    workflow_url: bulkWorkflowUrl,
  })
  .meta({ id: 'Retry' });

/** Of more than were counted, as many as are known by now. */
const showTotal = ({ total, retried, refused, status }: RetryRow) =>
  total === beyondCap
    ? { total: Math.max(countCap, retried + refused), more_than_total: status !== 'finished' }
    : { total, more_than_total: false };

export const showRetry = (row: RetryRow, workflowUrl: WorkflowUrl): z.infer<typeof retryBody> => ({
  id: showId('retry', row.id),
  status: row.status,
  stop_reason: row.stopReason,
  flow_id: showId('flow', row.flowId),
  block_id: row.blockId,
  version: row.version,
  reasons: row.reasons && [...row.reasons],
  from_versions: row.fromVersions && [...row.fromVersions],
  run_ids: row.runIds?.map((runId) => showId('run', runId)) ?? null,
  pace: row.pace,
  ...showTotal(row),
  retried: row.retried,
  refused: row.refused,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
  finished_at: row.finishedAt?.toISOString() ?? null,
  workflow_url: workflowUrl(workflowIdOf('retry', row)) ?? null,
});

const failure = codec({
  block_id: text,
  reason: nullable(text),
  flow_version: asStored(z.int()),
  runs: asStored(z.int()),
  last_failed_at: time(),
  is_in_live_version: asStored(
    z.boolean().meta({ description: 'Whether the live version has this block, with the same type.' }),
  ),
});

export const flowFailuresBody = z
  .object({
    counted: z.int().meta({ description: 'The failed runs that are counted: the latest 20,000 at most.' }),
    failures: z.array(failure.body).meta({ description: 'The most frequent first; a hundred at most.' }),
  })
  .meta({ id: 'FlowFailures' });

export const showFailure = failure.show;
