import type { Command } from 'commander';
import { showId } from '../../shared/ids.ts';
import { countBacklogs, noBacklog, type Backlog } from '../../shared/webhooks/backlog.ts';
import { listWebhooks, type WebhookRow } from '../../shared/webhooks/queries.ts';
import { showWebhook } from '../../shared/webhooks/schema.ts';
import { table, type Answer } from '../answer.ts';
import { chooseAccount } from '../choose-account.ts';
import { accountOption, limitOption } from '../options.ts';
import type { CommandDeps } from '../command-deps.ts';

/** parley webhooks list */
export const webhookCommands = (program: Command, deps: CommandDeps): void => {
  program
    .command('webhooks')
    .description('the webhooks of an account')
    .command('list')
    .description('list those of both variants, newest first')
    .addOption(accountOption())
    .addOption(limitOption())
    .action(deps.answer((options: { account?: string; limit: number }) => list(deps, options)));
};

const list = (
  { useInstallation }: CommandDeps,
  { account, limit }: { account?: string; limit: number },
): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const { id: accountId } = await chooseAccount(db, account);
    const rows = await listWebhooks(db, { accountId, variants: ['api', 'dashboard'] }, { limit });
    const backlogs = await countBacklogs(
      db,
      rows.map(({ id }) => id),
    );
    const backlogOf = ({ id }: WebhookRow) => backlogs.get(id) ?? noBacklog;
    return {
      document: { data: rows.map((row) => show(row, backlogOf(row))) },
      text: table(
        ['WEBHOOK', 'VARIANT', 'STATUS', 'UNFINISHED', 'PARKED', 'EVENTS', 'URL', 'CREATED'],
        rows.map((row) => [
          showId('webhook', row.id),
          row.variant,
          row.disabledReason === null ? row.status : `${row.status} (${row.disabledReason})`,
          backlogOf(row).pending + backlogOf(row).retrying,
          backlogOf(row).parked,
          row.events.join(','),
          row.url,
          row.createdAt,
        ]),
        'No webhooks.',
      ),
    };
  });

const show = (row: WebhookRow, backlog: Backlog) => ({
  ...showWebhook(row),
  variant: row.variant,
  disabled_reason: row.disabledReason,
  disabled_at: row.disabledAt?.toISOString() ?? null,
  backlog,
});
