import type { Command } from 'commander';
import type { Database } from '../../shared/platform/db/connect.ts';
import { createTransact } from '../../shared/platform/dispatch/transact.ts';
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
import { getOperatorScope, operatorScope } from '../operator-scope.ts';
import { by, idOf } from '../options.ts';
import { reEnableWebhook, sayCheck } from '../re-enable-webhook.ts';
import type { CommandDeps } from '../command-deps.ts';

type ReEnableOptions = { replay: ReplayChoice };

/** parley webhooks list | show | re-enable | delete */
export const webhookCommands = (program: Command, deps: CommandDeps): void => {
  const webhooks = program.command('webhooks').description('the webhooks of an account');
  addListCommand(webhooks, deps, { description: 'list those of both variants, newest first', list });
  webhooks
    .command('show')
    .description('show one, why it is disabled, and what waits for it')
    .argument('<webhook>', 'its id', idOf('webhook'))
    .action(deps.answer((id: string) => show(deps, id)));
  webhooks
    .command('re-enable')
    .description('ask the endpoint of a disabled one, and make it active when it answers as it must; else exit code 1')
    .argument('<webhook>', 'its id', idOf('webhook'))
    .option(
      '--replay <what>',
      'what is sent again: all (what is parked, and what failed or was dropped since the last success), none, or what was parked since a time, as 2026-01-31T12:00:00Z',
      readChoice,
      { type: 'none' },
    )
    .action(
      deps.answer((id: string, { replay }: ReEnableOptions) =>
        deps.useInstallation((installation) => reEnableWebhook(installation, id, replay)),
      ),
    );
  webhooks
    .command('delete')
    .description('delete one; its unfinished deliveries end as cancelled')
    .argument('<webhook>', 'its id', idOf('webhook'))
    .action(deps.answer((id: string) => deleteOne(deps, id)));
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

const show = ({ useInstallation }: CommandDeps, id: string): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const webhook = await getWebhook(db, await getOperatorScope(db, 'webhook', id), id);
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
  });

const sayStatus = ({ status, disabledReason, disabledAt }: WebhookRow): string =>
  disabledReason === null ? status : `${status} (${disabledReason}) since ${disabledAt?.toISOString()}`;

const deleteOne = ({ useInstallation }: CommandDeps, id: string): Promise<Answer> =>
  useInstallation(async ({ db }) => {
    const scope = await getOperatorScope(db, 'webhook', id);
    await deleteWebhook({ transact: createTransact(db, () => {}) }, scope, id);
    const shown = showId('webhook', id);
    return {
      document: { id: shown, deleted: true },
      text: `${shown} is deleted; its unfinished deliveries end as cancelled.`,
    };
  });
