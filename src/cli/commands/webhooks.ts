import type { Command } from 'commander';
import type { Database } from '../../shared/platform/db/connect.ts';
import { deliveryFilters } from '../../shared/deliveries/schema.ts';
import { found } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import type { ReplayChoice } from '../../shared/replays/schema.ts';
import { countBacklogs, noBacklog } from '../../shared/deliveries/backlog.ts';
import { deleteWebhook } from '../../shared/deliveries/delete-webhook.ts';
import { getWebhook } from '../../shared/webhooks/manage.ts';
import { listWebhooks } from '../../shared/webhooks/queries.ts';
import { showApiWebhook, type WebhookRow } from '../../shared/webhooks/schema.ts';
import { fields, type Answer } from '../answer.ts';
import { addListCommand } from '../list-command.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { by, exampleTimes } from '../options.ts';
import { reEnableWebhook, sayCheck } from '../re-enable-webhook.ts';
import { operatorScope, rowCommands, type RowInput } from '../row-commands.ts';
import type { CommandDeps } from '../command-deps.ts';

/** parley webhooks list | show | re-enable | delete */
export const webhookCommands = (program: Command, deps: CommandDeps): void => {
  const webhooks = program.command('webhooks').description('the webhooks of an account');
  addListCommand(webhooks, deps, {
    description: 'list webhooks of both variants, newest first',
    read: async ({ db }, accountId, { limit }) =>
      describe(db, await listWebhooks(db, operatorScope(accountId), { limit })),
    columns: {
      WEBHOOK: 'id',
      VARIANT: 'variant',
      STATUS: sayStatus,
      UNFINISHED: ({ backlog }) => backlog.pending + backlog.retrying,
      PARKED: ({ backlog }) => backlog.parked,
      EVENTS: ({ events }) => events.join(','),
      URL: 'url',
      CREATED: 'created_at',
    },
    none: 'No webhooks.',
  });
  const command = rowCommands(webhooks, deps, 'webhook');
  command('show', 'show a webhook, why it is disabled, and the deliveries that wait for it', show);
  const reEnable: Command = command(
    're-enable',
    'check the endpoint of a disabled webhook and re-enable it; if the check fails, exit with 1',
    (row) => reEnableWebhook(row, reEnable.opts<{ replay: ReplayChoice }>().replay),
  );
  reEnable.option(
    '--replay <what>',
    `what to send again: all (parked, and failed or dropped since the last success), none, or parked since a time: ${exampleTimes}`,
    readChoice,
    { type: 'none' },
  );
  command('delete', 'delete a webhook and cancel its unfinished deliveries', deleteOne);
};

const readChoice = (text: string): ReplayChoice =>
  text === 'all' || text === 'none'
    ? { type: text }
    : { type: 'since', since: by(deliveryFilters.since.unwrap())(text) };

/** Webhooks with what waits for them, as `--json` has them. */
const describe = async (db: Database, rows: readonly WebhookRow[]) => {
  const backlogs = await countBacklogs(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ ...showApiWebhook(row, backlogs.get(row.id) ?? noBacklog), variant: row.variant }));
};

const show = async ({ db, scope, id }: RowInput): Promise<Answer> => {
  const row = await getWebhook(db, scope, id);
  const [described] = await describe(db, [row]);
  const shown = { ...found('webhook', described), pending_url: row.pendingUrl, last_check: row.lastCheck };
  const { backlog, last_check } = shown;
  const text = fields({
    Webhook: shown.id,
    Account: showId('account', row.accountId),
    Variant: shown.variant === 'api' ? 'A (api)' : 'B (dashboard)',
    Url: shown.url,
    'URL to verify': shown.pending_url,
    Events: shown.events.join(','),
    Status: shown.disabled_at === null ? sayStatus(shown) : `${sayStatus(shown)} since ${shown.disabled_at}`,
    'Last check': last_check ? `${last_check.at}: ${sayCheck(last_check)}` : undefined,
    Unfinished: backlog.pending + backlog.retrying,
    Parked: backlog.parked,
    Created: shown.created_at,
  });
  const remedy =
    shown.status === 'disabled'
      ? `\n\nOnce the endpoint is fixed: parley webhooks re-enable ${shown.id} --replay all`
      : '';
  return { document: shown, text: `${text}${remedy}` };
};

type Shown = Awaited<ReturnType<typeof describe>>[number];

const sayStatus = ({ status, disabled_reason }: Shown): string =>
  disabled_reason === null ? status : `${status} (${disabled_reason})`;

const deleteOne = async ({ db, scope, id }: RowInput): Promise<Answer> => {
  await deleteWebhook({ transact: (work) => leaveToSweep(db, work) }, scope, id);
  const shown = showId('webhook', id);
  return {
    document: { id: shown, deleted: true },
    text: `${shown} is deleted. Its unfinished deliveries are cancelled.`,
  };
};
