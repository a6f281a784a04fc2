import type { Command } from 'commander';
import type { Database } from '../../shared/db/connect.ts';
import { showId } from '../../shared/ids.ts';
import { countBacklogs, noBacklog, type Backlog } from '../../shared/webhooks/backlog.ts';
import { listWebhooks, type WebhookRow } from '../../shared/webhooks/queries.ts';
import { showWebhook } from '../../shared/webhooks/schema.ts';
import { table, type Answer } from '../answer.ts';
import { addListCommand } from '../list-command.ts';
import { operatorScope } from '../operator-scope.ts';
import type { CommandDeps } from '../command-deps.ts';

/** parley webhooks list */
export const webhookCommands = (program: Command, deps: CommandDeps): void => {
  const webhooks = program.command('webhooks').description('the webhooks of an account');
  addListCommand(webhooks, deps, { description: 'list those of both variants, newest first', list });
};

const list = async (db: Database, accountId: string, limit: number): Promise<Answer> => {
  const rows = await listWebhooks(db, operatorScope(accountId), { limit });
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
};

const show = (row: WebhookRow, backlog: Backlog) => ({
  ...showWebhook(row),
  variant: row.variant,
  disabled_reason: row.disabledReason,
  disabled_at: row.disabledAt?.toISOString() ?? null,
  backlog,
});
