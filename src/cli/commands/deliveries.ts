import type { Command } from 'commander';
import { findLatestAttempts } from '../../shared/deliveries/attempt-log.ts';
import { readDeliveryFilter } from '../../shared/deliveries/filter.ts';
import { findDelivery, listDeliveries } from '../../shared/deliveries/queries.ts';
import { replayDelivery } from '../../shared/deliveries/replay.ts';
import { deliveryFilters, showDelivery } from '../../shared/deliveries/schema.ts';
import { deliveryStatuses, type DeliveryStatus } from '../../shared/deliveries/types.ts';
import type { EventName } from '../../shared/facts/names.ts';
import { found } from '../../shared/errors.ts';
import { showId } from '../../shared/ids.ts';
import type { Answer } from '../answer.ts';
import type { CommandDeps } from '../command-deps.ts';
import { showTimeline, timelineText } from '../delivery-timeline.ts';
import type { Installation } from '../installation.ts';
import { leaveToSweep } from '../leave-to-sweep.ts';
import { addListCommand } from '../list-command.ts';
import { by, exampleTimes, idOf } from '../options.ts';
import { operatorScope, rowCommands, type RowInput } from '../row-commands.ts';
import { workflowUrlOf } from '../workflow-url.ts';

type Filters = {
  status?: DeliveryStatus[];
  webhook?: string;
  event?: EventName;
  eventId?: string;
  contact?: string;
  message?: string;
  test?: boolean;
  since?: string;
  until?: string;
};

/** parley deliveries list | show | retry | cancel | replay */
export const deliveryCommands = (program: Command, deps: CommandDeps): void => {
  const deliveries = program.command('deliveries').description('the delivery log');
  addListCommand(deliveries, deps, {
    description: 'list deliveries, newest first',
    read: list,
    columns: {
      DELIVERY: 'id',
      EVENT: ({ event, is_test }) => (is_test ? `${event} (test)` : event),
      WEBHOOK: 'webhook_id',
      STATUS: 'status',
      ATTEMPTS: 'attempts_made',
      'NEXT ATTEMPT': 'next_attempt_at',
      CREATED: 'created_at',
    },
    none: 'No deliveries.',
  })
    .option(
      '--status <statuses>',
      `only these statuses, comma-separated: ${deliveryStatuses.join(', ')}`,
      by(deliveryFilters.status.unwrap()),
    )
    .option('--webhook <id>', 'only deliveries to this webhook', idOf('webhook'))
    .option('--event <name>', 'only deliveries of this event type', by(deliveryFilters.event.unwrap()))
    .option('--event-id <id>', 'only deliveries of this event', idOf('event'))
    .option('--contact <id>', 'only deliveries about this contact', idOf('contact'))
    .option('--message <id>', 'only deliveries about this message', idOf('message'))
    .option('--test', 'only test events')
    .option('--no-test', 'no test events')
    .option('--since <time>', `only those created then or later: ${exampleTimes}`, by(deliveryFilters.since.unwrap()))
    .option('--until <time>', 'only those created before then', by(deliveryFilters.until.unwrap()));
  const command = rowCommands(deliveries, deps, 'delivery');
  command('show', 'show a delivery with its body and latest attempts', show);
  command(
    'retry',
    'make an extra attempt now at a delivery that is retrying; its scheduled attempts stay',
    async (row) => (await loadActions()).askRetry(row),
  );
  command('cancel', 'cancel a pending, retrying or parked delivery', async (row) =>
    (await loadActions()).askCancel(row),
  );
  command(
    'replay',
    'send a delivery again with the same ID and bytes; a running service starts within seconds',
    replay,
  );
};

/** Temporal's client takes half a second to load, which the other commands need not wait for. */
const loadActions = () => import('../delivery-actions.ts');

const list = async (
  { config, db }: Installation,
  accountId: string,
  { webhook, eventId, contact, message, limit, ...asked }: Filters & { limit: number },
) => {
  const workflowUrl = await workflowUrlOf(config);
  const named = { webhook_id: webhook, event_id: eventId, contact_id: contact, message_id: message };
  const filter = await readDeliveryFilter(db, accountId, { ...asked, ...named });
  const rows = filter ? await listDeliveries(db, operatorScope(accountId), { ...filter, limit }) : [];
  return rows.map((row) => showDelivery(row, workflowUrl));
};

const show = async ({ config, db, scope, id }: RowInput): Promise<Answer> => {
  const delivery = found('delivery', await findDelivery(db, scope, id));
  const timeline = showTimeline({
    delivery: { ...delivery, accountId: scope.accountId },
    attempts: await findLatestAttempts(db, id),
    workflowUrl: await workflowUrlOf(config),
  });
  return { document: timeline, text: timelineText(timeline) };
};

const replay = async ({ db, scope, id }: RowInput): Promise<Answer> => {
  await leaveToSweep(db, (tx) => replayDelivery(tx, scope, id));
  const shown = showId('delivery', id);
  return {
    document: { id: shown, replayed: true },
    text: `${shown} will be sent again. deliveries show has its progress.`,
  };
};
