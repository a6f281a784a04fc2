import { type Command, Option } from 'commander';
import { found } from '../../shared/errors.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { cancelRun } from '../../shared/runs/life/cancel.ts';
import { findRun, listRuns, listSteps } from '../../shared/runs/queries.ts';
import { retryRun } from '../../shared/runs/life/retry.ts';
import { runStatuses, type RunStatus } from '../../shared/runs/engine/run-state.ts';
import { showRun, showStep } from '../../shared/runs/schema.ts';
import { fields, table, type Answer, type Columns } from '../answer.ts';
import type { CommandDeps } from '../command-deps.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { addListCommand } from '../list-command.ts';
import { idOf } from '../options.ts';
import { rowCommands } from '../row-commands.ts';

type Filters = { flow?: string; contact?: string; status?: RunStatus; block?: string };

/**
 * parley runs list | show | cancel | retry. A command has no connection to Temporal: it writes the run's row, and the sweep of a running service
 * tells the workflow within seconds.
 */
export const runCommands = (program: Command, deps: CommandDeps): void => {
  const runs = program.command('runs').description('the runs of flows');
  addListCommand(runs, deps, {
    description: 'list runs, newest first',
    read: async ({ db }, accountId, { flow, contact, status, block, limit }: Filters & { limit: number }) => {
      const filter = { flow_id: flow, contact_id: contact, status, block_id: block };
      return (await listRuns(db, accountId, { filter, page: { limit } })).map(showRun);
    },
    columns: {
      RUN: 'id',
      FLOW: 'flow_id',
      CONTACT: 'contact_id',
      STATUS: sayStatus,
      AT: 'block_id',
      STARTED: 'started_at',
    },
    none: 'No runs.',
  })
    .option('--flow <id>', 'only runs of this flow', idOf('flow'))
    .option('--contact <id>', 'only runs of this contact', idOf('contact'))
    .addOption(new Option('--status <status>', 'only runs with this status').choices(runStatuses))
    .option(
      '--block <id>',
      'only open runs at this block, or with --status failed those that failed there; needs --flow',
    );
  const command = rowCommands(runs, deps, 'run');
  command('show', 'show where a run is, and its latest steps', ({ db, scope, id }) => show(db, scope.accountId, id));
  command('cancel', 'cancel a run and the runs it has started', async ({ db, scope: { accountId }, id }) => {
    await leaveToSweep(db, (tx) => cancelRun(tx, { accountId, runId: id, reason: 'cancelled_by_operator' }));
    return show(db, accountId, id);
  });
  command('retry', 'resume a failed run where it failed', async ({ db, scope: { accountId }, id }) => {
    await leaveToSweep(db, (tx) => retryRun(tx, { accountId, runId: id }));
    return show(db, accountId, id);
  });
};

/** As many of a run's steps as fit a terminal. */
const stepsShown = 20;

const show = async (sql: Sql, accountId: string, id: string): Promise<Answer> => {
  const run = showRun(found('run', await findRun(sql, accountId, id)));
  const steps = (await listSteps(sql, id, { limit: stepsShown })).map(showStep);
  return {
    document: { ...run, steps },
    text: [
      fields({
        Run: run.id,
        Flow: `${run.flow_id}, version ${run.flow_version}`,
        Contact: run.contact_id,
        Status: sayStatus(run),
        'Started by': run.parent_run_id,
        Block: run.block_id,
        'Waits since': run.waiting_since,
        'Waits until': run.wakes_at,
        Started: run.started_at,
        Ended: run.ended_at,
      }),
      table(stepColumns, steps, 'No block entered yet.'),
    ].join('\n\n'),
  };
};

const stepColumns: Columns<ReturnType<typeof showStep>> = {
  STEP: 'number',
  BLOCK: 'block_id',
  VISIT: 'visit',
  PORT: 'port',
  REASON: 'reason',
  ENTERED: 'entered_at',
  LEFT: 'left_at',
};

const sayStatus = ({ status, waiting, reason }: ReturnType<typeof showRun>): string => {
  const more = waiting ?? reason;
  return more === null || more === status ? status : `${status} (${more})`;
};
