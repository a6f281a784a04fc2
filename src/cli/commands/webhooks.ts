import type { Command } from 'commander';
import type { Database } from '../../shared/platform/db/connect.ts';
import { deliveryFilters } from '../../shared/deliveries/schema.ts';
import { showId } from '../../shared/ids.ts';
import type { ReplayChoice } from '../../shared/replays/schema.ts';
import { countBacklogs, noBacklog } from '../../shared/deliveries/backlog.ts';
import { deleteWebhook } from '../../shared/deliveries/delete-webhook.ts';
import { getWebhook } from '../../shared/webhooks/manage.ts';
import { listWebhooks } from '../../shared/webhooks/queries.ts';
import { showApiWebhook, type Backlog, type WebhookRow } from '../../shared/webhooks/schema.ts';
import { fields, table, type Answer } from '../answer.ts';
import { addListCommand } from '../list-command.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { by, exampleTimes } from '../options.ts';
import { reEnableWebhook, sayCheck } from '../re-enable-webhook.ts';
import { operatorScope, rowCommands, type RowInput } from '../row-commands.ts';
import type { CommandDeps } from '../command-deps.ts';

/** parley webhooks list | show | re-enable | delete */
export const webhookCommands = (program: Command, deps: CommandDeps): void => {
  const webhooks = program.command('webhooks').description('the webhooks of an account');
  addListCommand(webhooks, deps, { description: 'list those of both variants, newest first', list });
  const command = rowCommands(webhooks, deps, 'webhook');
  command('show', 'show one, why it is disabled, and what waits for it', show);
  const reEnable: Command = command(
    're-enable',
    'ask the endpoint of a disabled one, and make it active when it answers as it must; else exit code 1',
    (row) => reEnableWebhook(row, reEnable.opts<{ replay: ReplayChoice }>().replay),
  );
  reEnable.option(
    '--replay <what>',
    `what is sent again: all (what is parked, and what failed or was dropped since the last success), none, or what was parked since a time: ${exampleTimes}`,
    readChoice,
    { type: 'none' },
  );
  command('delete', 'delete one; its unfinished deliveries end as cancelled', deleteOne);
};

const readChoice = (text: string): ReplayChoice =>
  text === 'all' || text === 'none'
    ? { type: text }
    : { type: 'since', since: by(deliveryFilters.since.unwrap())(text) };

const list = async (db: Database, accountId: string, limit: number): Promise<Answer> => {
  const rows = await listWebhooks(db, operatorScope(accountId), { limit });
  const backlogs = await countBacklogs(
    db,
    rows.map(({ id }) => id),
  );
  const backlogOf = ({ id }: WebhookRow) => backlogs.get(id) ?? noBacklog;
  return {
    document: { data: rows.map((row) => describe(row, backlogOf(row))) },
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

const describe = (row: WebhookRow, backlog: Backlog) => ({ ...showApiWebhook(row, backlog), variant: row.variant });

const show = async ({ db, scope, id }: RowInput): Promise<Answer> => {
  const webhook = await getWebhook(db, scope, id);
  const backlog = (await countBacklogs(db, [id])).get(id) ?? noBacklog;
  const { pendingUrl: pending_url, lastCheck: last_check } = webhook;
  const shown = showId('webhook', id);
  const text = fields({
    Webhook: shown,
    Account: showId('account', webhook.accountId),
    Variant: webhook.variant === 'api' ? 'A (api)' : 'B (dashboard)',
    Url: webhook.url,
    'Url to be verified': pending_url ?? undefined,
    Events: webhook.events.join(','),
    Status: sayStatus(webhook),
    'Last check': last_check ? `${last_check.at}: ${sayCheck(last_check)}` : undefined,
    Unfinished: backlog.pending + backlog.retrying,
    Parked: backlog.parked,
    Created: webhook.createdAt,
  });
  const remedy =
    webhook.status === 'disabled'
      ? `\n\nWhen the endpoint is well: parley webhooks re-enable ${shown} --replay all`
      : '';
  return { document: { ...describe(webhook, backlog), pending_url, last_check }, text: `${text}${remedy}` };
};

const sayStatus = ({ status, disabledReason, disabledAt }: WebhookRow): string =>
  disabledReason === null ? status : `${status} (${disabledReason}) since ${disabledAt?.toISOString()}`;

const deleteOne = async ({ db, scope, id }: RowInput): Promise<Answer> => {
  await deleteWebhook({ transact: (work) => leaveToSweep(db, work) }, scope, id);
  const shown = showId('webhook', id);
  return {
    document: { id: shown, deleted: true },
    text: `${shown} is deleted; its unfinished deliveries end as cancelled.`,
  };
};
