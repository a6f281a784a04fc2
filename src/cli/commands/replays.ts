import type { Command } from 'commander';
import { z } from 'zod';
import { inDigits } from '../../shared/in-digits.ts';
import type { Config } from '../../shared/platform/config.ts';
import { readFilter } from '../../shared/replays/asked-filter.ts';
import { changeReplay, createReplay, getReplay, replayActions } from '../../shared/replays/manage.ts';
import { listReplays, type ReplayRow } from '../../shared/replays/queries.ts';
import { newReplay, showReplay } from '../../shared/replays/schema.ts';
import { fields, type Answer } from '../answer.ts';
import { chooseAccount } from '../choose-account.ts';
import type { CommandDeps } from '../command-deps.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { addListCommand } from '../list-command.ts';
import { accountOption, by, exampleTimes, idOf } from '../options.ts';
import { operatorScope, rowCommands } from '../row-commands.ts';
import { workflowUrlOf } from '../workflow-url.ts';

const { status, since, until, pace } = newReplay.shape;

type StartOptions = {
  account?: string;
  webhook?: string;
  status: z.infer<typeof status>;
  since?: string;
  until?: string;
  pace: number;
};

const commas = z.string().transform((text) => text.split(','));

/**
 * parley replays start | list | show | pause | resume | cancel. A command has no connection to Temporal: it writes the replay, and the sweep of a
 * running service starts the workflow within seconds.
 */
export const replayCommands = (program: Command, deps: CommandDeps): void => {
  const replays = program.command('replays').description('bulk replays of deliveries');
  replays
    .command('start')
    .description('send matching deliveries again, oldest first; a running service starts within seconds')
    .addOption(accountOption())
    .option('--webhook <id>', 'only deliveries to this webhook', idOf('webhook'))
    .option(
      '--status <statuses>',
      'only these statuses, comma-separated',
      by(commas.pipe(status.unwrap())),
      status.parse(undefined),
    )
    .option('--since <time>', `only those created then or later: ${exampleTimes}`, by(since))
    .option('--until <time>', 'only those created before then', by(until))
    .option('--pace <number>', 'deliveries a second, 1 to 200', by(inDigits(pace.unwrap())), pace.parse(undefined))
    .action(deps.answer((options: StartOptions) => start(deps, options)));
  addListCommand(replays, deps, {
    description: 'list replays, newest first',
    read: async ({ config, db }, accountId, { limit }) => {
      const workflowUrl = await workflowUrlOf(config);
      const rows = await listReplays(db, operatorScope(accountId), { limit });
      return rows.map((row) => showReplay(row, workflowUrl));
    },
    columns: {
      REPLAY: 'id',
      WEBHOOK: ({ filter }) => filter.webhook_id ?? 'all',
      FILTER: ({ filter }) => filter.status.join(','),
      STATUS: sayStatus,
      REPLAYED: 'replayed',
      SKIPPED: 'skipped',
      OF: sayTotal,
      CREATED: 'created_at',
    },
    none: 'No replays.',
  });
  const command = rowCommands(replays, deps, 'replay');
  command('show', 'show the progress of a replay', async ({ config, db, scope, id }) =>
    answerOf(config, await getReplay(db, scope, id)),
  );
  for (const action of replayActions) {
    command(action, `${action} a replay; deliveries it has started continue`, async ({ config, db, scope, id }) =>
      answerOf(config, await leaveToSweep(db, (tx) => changeReplay(tx, scope, { id, action }))),
    );
  }
};

const start = (
  { useInstallation }: CommandDeps,
  { account, webhook, status: statuses, since, until, pace }: StartOptions,
): Promise<Answer> =>
  useInstallation(async ({ config, db }) => {
    const { id } = await chooseAccount(db, account);
    const filter = await readFilter(db, id, { webhook_id: webhook, status: statuses, since, until });
    return answerOf(config, await leaveToSweep(db, (tx) => createReplay(tx, operatorScope(id), { ...filter, pace })));
  });

type Replay = ReturnType<typeof showReplay>;

const sayStatus = ({ status, stop_reason }: Replay): string =>
  stop_reason === null ? status : `${status} (${stop_reason})`;

const sayTotal = ({ total, more_than_total }: Replay): string =>
  `${more_than_total ? 'more than ' : ''}${total.toLocaleString('en')}`;

const answerOf = async (config: Config, row: ReplayRow): Promise<Answer> => {
  const replay = showReplay(row, await workflowUrlOf(config));
  const { id, filter, replayed, skipped, pace, created_at, finished_at, workflow_url } = replay;
  return {
    document: replay,
    text: fields({
      Replay: id,
      Webhook: filter.webhook_id ?? 'all',
      Statuses: filter.status.join(','),
      Since: filter.since,
      Until: filter.until,
      Status: sayStatus(replay),
      Replayed: `${replayed} of ${sayTotal(replay)}, ${skipped} skipped, ${pace} a second`,
      Created: created_at,
      Finished: finished_at,
      Workflow: workflow_url,
    }),
  };
};
