import type { Command } from 'commander';
import { z } from 'zod';
import { inDigits } from '../../shared/in-digits.ts';
import type { Config } from '../../shared/platform/config.ts';
import { changeRetry, getRetry, prepareRetry, retryActions, startRetry } from '../../shared/retries/manage.ts';
import { listRetries, type RetryRow } from '../../shared/retries/queries.ts';
import { newRetry, showRetry } from '../../shared/retries/schema.ts';
import { fields, type Answer } from '../answer.ts';
import { chooseAccount } from '../choose-account.ts';
import type { CommandDeps } from '../command-deps.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { addListCommand } from '../list-command.ts';
import { accountOption, by, idOf } from '../options.ts';
import { rowCommands } from '../row-commands.ts';
import { workflowUrlOf } from '../workflow-url.ts';

const { block_id: blockId, version, reasons, from_versions: fromVersions, pace } = newRetry.shape;

type StartOptions = {
  account?: string;
  flow: string;
  block: string;
  version?: number;
  reasons?: string[];
  fromVersions?: number[];
  pace: number;
};

const commas = z.string().transform((text) => text.split(','));

/** Versions, comma-separated. */
const versions = commas
  .transform((texts) => texts.map((text) => (/^\d{1,10}$/.test(text) ? Number(text) : Number.NaN)))
  .pipe(fromVersions.unwrap());

/**
 * parley retries start | list | show | pause | resume | cancel. A command has no connection to Temporal: it writes the retry, and the sweep of a
 * running service starts the workflow within seconds.
 */
export const retryCommands = (program: Command, deps: CommandDeps): void => {
  const retries = program.command('retries').description('bulk retries of failed runs');
  retries
    .command('start')
    .description('retry the failed runs of a block, oldest first; a running service starts within seconds')
    .addOption(accountOption())
    .requiredOption('--flow <id>', 'the flow', idOf('flow'))
    .requiredOption('--block <id>', 'the block where they failed, and continue', by(blockId))
    .option(
      '--version <number>',
      'the version on which they continue; the live one if omitted',
      by(inDigits(version.unwrap())),
    )
    .option(
      '--reasons <reasons>',
      'only runs that failed for these reasons, comma-separated; all but outcome_unknown if omitted',
      by(commas.pipe(reasons.unwrap())),
    )
    .option('--from-versions <numbers>', 'only runs that failed on these versions, comma-separated', by(versions))
    .option('--pace <number>', 'runs a second, 1 to 200', by(inDigits(pace.unwrap())), pace.parse(undefined))
    .action(deps.answer((options: StartOptions) => start(deps, options)));
  addListCommand(retries, deps, {
    description: 'list bulk retries, newest first',
    read: async ({ config, db }, accountId, { flow, limit }: { flow?: string; limit: number }) => {
      const workflowUrl = await workflowUrlOf(config);
      const rows = await listRetries(db, accountId, { filter: { flow_id: flow }, page: { limit } });
      return rows.map((row) => showRetry(row, workflowUrl));
    },
    columns: {
      RETRY: 'id',
      FLOW: 'flow_id',
      BLOCK: 'block_id',
      VERSION: 'version',
      STATUS: sayStatus,
      RETRIED: 'retried',
      REFUSED: 'refused',
      OF: sayTotal,
      CREATED: 'created_at',
    },
    none: 'No retries.',
  }).option('--flow <id>', 'only retries of this flow', idOf('flow'));
  const command = rowCommands(retries, deps, 'retry');
  command('show', 'show the progress of a bulk retry', async ({ config, db, scope: { accountId }, id }) =>
    answerOf(config, await getRetry(db, accountId, id)),
  );
  for (const action of retryActions) {
    command(
      action,
      `${action} a bulk retry; runs it has retried continue`,
      async ({ config, db, scope: { accountId }, id }) =>
        answerOf(config, await leaveToSweep(db, (tx) => changeRetry(tx, accountId, { id, action }))),
    );
  }
};

const start = ({ useInstallation }: CommandDeps, { account, flow, block, ...asked }: StartOptions): Promise<Answer> =>
  useInstallation(async ({ config, db }) => {
    const { id: accountId } = await chooseAccount(db, account);
    const prepared = await prepareRetry(db, {
      accountId,
      flowId: flow,
      blockId: block,
      version: asked.version,
      reasons: asked.reasons ?? null,
      fromVersions: asked.fromVersions ?? null,
      runIds: null,
      pace: asked.pace,
    });
    return answerOf(config, await leaveToSweep(db, (tx) => startRetry(tx, prepared)));
  });

type Retry = ReturnType<typeof showRetry>;

const sayStatus = ({ status, stop_reason }: Retry): string =>
  stop_reason === null ? status : `${status} (${stop_reason})`;

const sayTotal = ({ total, more_than_total }: Retry): string =>
  `${more_than_total ? 'more than ' : ''}${total.toLocaleString('en')}`;

const answerOf = async (config: Config, row: RetryRow): Promise<Answer> => {
  const retry = showRetry(row, await workflowUrlOf(config));
  const { id, flow_id, block_id, retried, refused, pace: aSecond, created_at, finished_at, workflow_url } = retry;
  return {
    document: retry,
    text: fields({
      Retry: id,
      Flow: `${flow_id}, version ${retry.version}`,
      Block: block_id,
      Reasons: retry.reasons?.join(',') ?? 'all but outcome_unknown',
      'Failed on versions': retry.from_versions?.join(',') ?? 'all',
      Status: sayStatus(retry),
      Retried: `${retried} of ${sayTotal(retry)}, ${refused} refused, ${aSecond} a second`,
      Created: created_at,
      Finished: finished_at,
      Workflow: workflow_url,
    }),
  };
};
