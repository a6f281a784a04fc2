import { type Command, Option } from 'commander';
import { found } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import type { Database, Sql } from '../../shared/platform/db/connect.ts';
import { cancelRun } from '../../shared/runs/life/cancel.ts';
import { findRun, listRuns, listSteps } from '../../shared/runs/queries.ts';
import { retryRun } from '../../shared/runs/life/retry.ts';
import { runStatuses, type RunStatus } from '../../shared/runs/engine/run-state.ts';
import { showRun, showStep, type RunRow } from '../../shared/runs/schema.ts';
import { fields, table, type Answer } from '../answer.ts';
import { chooseAccount } from '../choose-account.ts';
import type { CommandDeps } from '../command-deps.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { accountOption, idOf, limitOption } from '../options.ts';
import { rowCommands } from '../row-commands.ts';

type ListOptions = {
  account?: string;
  flow?: string;
  contact?: string;
  status?: RunStatus;
  block?: string;
  limit: number;
};

/**
 * parley runs list | show | cancel | retry. A command has no connection to Temporal: it writes the run's row, and the sweep of a running service
 * tells the workflow within seconds.
 */
export const runCommands = (program: Command, deps: CommandDeps): void => {
  const runs = program.command('runs').description('contacts on their way through flows');
  runs
    .command('list')
    .description('list them, newest first')
    .addOption(accountOption())
    .addOption(limitOption())
    .option('--flow <id>', 'only those of this flow', idOf('flow'))
    .option('--contact <id>', 'only those of this contact', idOf('contact'))
    .addOption(new Option('--status <status>', 'only those').choices(runStatuses))
    .option('--block <id>', 'only open ones that are at this block; with --flow')
    .action(deps.answer((options: ListOptions) => deps.useInstallation(({ db }) => list(db, options))));
  const command = rowCommands(runs, deps, 'run');
  command('show', 'show where one is, and its latest steps', ({ db, scope, id }) => show(db, scope.accountId, id));
  command('cancel', 'cancel one, and those that it has started', async ({ db, scope: { accountId }, id }) => {
    await leaveToSweep(db, (tx) => cancelRun(tx, { accountId, runId: id, reason: 'cancelled_by_operator' }));
    return show(db, accountId, id);
  });
  command('retry', 'have a failed one go on where it failed', async ({ db, scope: { accountId }, id }) => {
    await leaveToSweep(db, (tx) => retryRun(tx, { accountId, runId: id }));
    return show(db, accountId, id);
  });
};

const list = async (db: Database, { account, flow, contact, status, block, limit }: ListOptions): Promise<Answer> => {
  const { id: accountId } = await chooseAccount(db, account);
  const filter = { flow_id: flow, contact_id: contact, status, block_id: block };
  const rows = await listRuns(db, accountId, { filter, page: { limit } });
  return {
    document: { data: rows.map(showRun) },
    text: table(
      ['RUN', 'FLOW', 'CONTACT', 'STATUS', 'AT', 'STARTED'],
      rows.map((row) => [
        showId('run', row.id),
        showId('flow', row.flowId),
        showId('contact', row.contactId),
        sayStatus(row),
        row.blockId,
        row.startedAt,
      ]),
      'No runs.',
    ),
  };
};

/** As many of a run's steps as fit a terminal. */
const stepsShown = 20;

const show = async (sql: Sql, accountId: string, id: string): Promise<Answer> => {
  const run = found('run', await findRun(sql, accountId, id));
  const steps = await listSteps(sql, id, { limit: stepsShown });
  return {
    document: { ...showRun(run), steps: steps.map(showStep) },
    text: [
      fields({
        Run: showId('run', run.id),
        Flow: `${showId('flow', run.flowId)}, version ${run.flowVersion}`,
        Contact: showId('contact', run.contactId),
        Status: sayStatus(run),
        'Started by': run.parentRunId === null ? undefined : showId('run', run.parentRunId),
        Block: run.blockId ?? undefined,
        'Waits since': run.waitingSince ?? undefined,
        'Waits until': run.wakesAt ?? undefined,
        Started: run.startedAt,
        Ended: run.endedAt ?? undefined,
      }),
      table(
        ['STEP', 'BLOCK', 'VISIT', 'PORT', 'REASON', 'ENTERED', 'LEFT'],
        steps.map((step) => [
          step.number,
          step.blockId,
          step.visit,
          step.port,
          step.reason,
          step.enteredAt,
          step.leftAt,
        ]),
        'It has entered no block.',
      ),
    ].join('\n\n'),
  };
};

const sayStatus = ({ status, waiting, reason }: RunRow): string => {
  const more = waiting ?? reason;
  return more === null || more === status ? status : `${status} (${more})`;
};
