import { z } from 'zod';
import { anyJson, asStored, codec, id, idOf, nullable, time, type RowOf } from '../codec.ts';
import type { LinkTo } from '../media/schema.ts';
import { messageBody, showMessage } from '../messages/schema.ts';
import { smallRecord } from '../custom-fields/json.ts';
import { askedTime, onAccountsClock } from '../times/storable-time.ts';
import { runStatuses, waits } from './engine/run-state.ts';
import type { RunMessageRow } from './list-messages.ts';

/** What enrolls a contact in a flow (specification 2.5). */
export const newEnrollment = z
  .strictObject({
    flow_id: idOf('flow', 'a flow'),
    params: smallRecord('For the templates of this run: {{params.…}}.').default({}),
  })
  .meta({ id: 'NewEnrollment', example: { flow_id: 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn', params: { sku: 'T-100' } } });

const enrollment = codec({
  id: id('run'),
  flow_id: id('flow'),
  flow_version: asStored(z.int()),
  contact_id: id('contact'),
  status: asStored(z.enum(runStatuses)),
  started_at: time(),
});

export const enrollmentBody = enrollment.body.meta({
  id: 'Enrollment',
  description: 'The new run of the contact: follow it with GET /v1/runs/{id}.',
});

export const showEnrollment = enrollment.show;

const orNull = nullable(asStored(z.string()));

const run = codec({
  id: id('run'),
  flow_id: id('flow'),
  flow_version: asStored(z.int()),
  contact_id: id('contact'),
  parent_run_id: nullable(id('run'), { description: 'The run whose start_flow block waits for this one.' }),
  status: asStored(z.enum(runStatuses)),
  block_id: nullable(asStored(z.string()), { description: 'The block that it is at, or has ended at.' }),
  step: asStored(z.int().meta({ description: 'How many blocks it has entered.' })),
  waiting: nullable(asStored(z.enum(waits)), { description: 'The cause of the wait.' }),
  waiting_since: nullable(time()),
  wakes_at: nullable(time(), { description: 'When its wait is over, if nothing comes before.' }),
  reason: nullable(asStored(z.string()), { description: 'Why it ended as it did, or waits as it does.' }),
  params: asStored(z.record(z.string(), anyJson)),
  started_at: time(),
  ended_at: nullable(time()),
});

export const runBody = run.body.meta({ id: 'Run' });

/** A run as it is stored; ids are UUIDs. */
export type RunRow = RowOf<typeof run>;

export const showRun = run.show;

/** A run with the number of workflows that carried it before the present one, and what was not begun of what it has caused; ids are UUIDs. */
export type RunDetailRow = RunRow & {
  resumes: number;
  withoutWorkflow: boolean;
  originRunId: string | null;
  notBegun: number | null;
  lastNotBegunAt: Date | null;
};

const origin = nullable(id('run'), {
  description: 'The first run of the chain of runs and events that has caused this one; null for that run itself.',
});

const loopGuard = z.object({ not_begun: z.int(), last_at: z.iso.datetime() }).nullable().meta({
  description:
    'Runs that this run would have caused, by itself or through others, and that were not begun, because it had caused 1,000 in that hour or the account had too many that had not begun their first step. Null where there are none.',
});

const move = codec({
  step: asStored(z.int().meta({ description: 'Its first step on the later version.' })),
  from_version: asStored(z.int()),
  to_version: asStored(z.int()),
  moved_at: time(),
});

export type MoveRow = RowOf<typeof move>;

export const runDetailBody = run.body
  .extend({
    workflow_url: z.string().nullable().meta({
      description:
        "Its workflow in Temporal's UI, if it has one and the installation has the UI's address. A run that ended at once may have none.",
    }),
    origin_run_id: origin.schema,
    loop_guard: loopGuard,
    moves: z.array(move.body).meta({
      description: 'By which bulk retries it has gone on on another version, the latest first; fifty at most.',
    }),
  })
  .meta({ id: 'RunDetail' });

/** A run as it is read alone. One that a guard has refused from the start has no workflow, and one that ended before it needed one may have none. */
export const showRunDetail = (
  row: RunDetailRow,
  { moves, workflowUrl }: { moves: readonly MoveRow[]; workflowUrl: string | undefined },
): z.infer<typeof runDetailBody> => {
  const isRefused = row.step === 0 && row.status === 'failed' && row.reason === 'loop_guard';
  const wasStarted = row.resumes > 0 || !(row.withoutWorkflow || isRefused);
  const { originRunId, notBegun, lastNotBegunAt } = row;
  return {
    ...run.show(row),
    workflow_url: (wasStarted && workflowUrl) || null,
    origin_run_id: origin.show(originRunId),
    loop_guard:
      notBegun === null || lastNotBegunAt === null
        ? null
        : { not_begun: notBegun, last_at: lastNotBegunAt.toISOString() },
    moves: moves.map(move.show),
  };
};

const step = codec({
  number: asStored(z.int()),
  block_id: asStored(z.string()),
  visit: asStored(z.int().meta({ description: 'How often the run has come to this block.' })),
  status: asStored(
    z
      .enum(['pending', 'open', 'done'])
      .meta({ description: 'pending: it waits for the conversation, or for the end of a silence.' }),
  ),
  port: nullable(asStored(z.string()), { description: 'The port by which it was left.' }),
  reason: orNull,
  tries: asStored(z.int().meta({ description: 'Invalid replies.' })),
  entered_at: time(),
  left_at: nullable(time()),
});

export const stepBody = step.body.meta({ id: 'RunStep' });

export type StepRow = RowOf<typeof step>;

export const showStep = step.show;

export const runMessageBody = messageBody
  .extend({
    step: z.int().meta({
      description: 'The step that sent it, or took it as an answer; 0 for the message that the run was started by.',
    }),
  })
  .meta({ id: 'RunMessage' });

export const showRunMessage = (row: RunMessageRow, linkTo: LinkTo): z.infer<typeof runMessageBody> => ({
  ...showMessage(row, linkTo),
  step: row.step,
});

/** Which runs a list shows. */
export const runFilters = {
  flow_id: idOf('flow', 'a flow').optional(),
  contact_id: idOf('contact', 'a contact').optional(),
  status: z.enum(runStatuses).optional(),
  block_id: z.string().max(64).optional().meta({
    description:
      'With `flow_id`: only open runs that are at this block, or with `status=failed` runs that failed at it.',
  }),
};

/** Which runs of a flow are to be changed together. */
export const runsToChange = z
  .strictObject({
    flow_id: idOf('flow', 'a flow'),
    block_id: z.string().max(64).optional().meta({ description: 'Only runs that are, or have failed, at this block.' }),
  })
  .meta({ id: 'RunsToChange', example: { flow_id: 'flow_01jd6z3qf5e8pb2zv0w8c4x1kn', block_id: 'stock' } });

export const changedRunsBody = z
  .object({
    changed: z.int(),
    refused: z.int().meta({ description: 'Failed runs that could not be retried.' }),
    more: z.boolean().meta({ description: 'Whether there are others: ask again.' }),
  })
  .meta({ id: 'ChangedRuns' });

/** What the statistics of a flow take in; a week unless told. */
export const statsQuery = z.strictObject({
  since: askedTime
    .optional()
    .meta({ description: `Runs that began at this time or later; a week ago if omitted. ${onAccountsClock}` }),
});

const blockStats = codec({
  block_id: asStored(z.string()),
  entered: asStored(z.int()),
  here: asStored(z.int().meta({ description: 'Runs that are at it now.' })),
  passed: asStored(z.record(z.string(), z.int()).meta({ description: 'How often each port was taken.' })),
  failed: asStored(z.int().meta({ description: 'Runs that have failed at it.' })),
  median_ms: nullable(asStored(z.number()), { description: 'From entering to leaving it.' }),
});

export const flowStatsBody = z
  .object({
    runs: z.int().meta({ description: 'The runs that are counted: the latest 20,000 at most.' }),
    statuses: z
      .object({ running: z.int(), waiting: z.int(), completed: z.int(), failed: z.int(), cancelled: z.int() })
      .meta({ description: 'How many of them have each status now.' }),
    blocks: z.array(blockStats.body).meta({
      description:
        'Blocks that runs have entered, in the order of the version that contacts enter now; then blocks that this version no longer has.',
    }),
  })
  .meta({ id: 'FlowStats' });

export const showBlockStats = blockStats.show;

/** The open runs at a block are counted up to this many of each status, which then means that many or more. */
export const runsCap = 10_001;

const ofStatus = asStored(z.int().meta({ description: `Counted up to ${runsCap}, which means that many or more.` }));

const blockCount = codec({
  block_id: nullable(asStored(z.string()), { description: 'Null for runs that have entered no block yet.' }),
  running: ofStatus,
  waiting: ofStatus,
});

export const flowCountsBody = z
  .object({
    blocks: z.array(blockCount.body).meta({
      description: 'Blocks with open runs, also of earlier versions, by id; a thousand at most.',
    }),
  })
  .meta({ id: 'FlowCounts' });

export const showBlockCount = blockCount.show;
