import { accountAllowsWebhooks } from '../../shared/accounts/plans.ts';
import type { Sql } from '../../shared/platform/db/connect.ts';
import { isActive } from '../../shared/webhooks/preconditions.ts';
import { showId } from '../../shared/ids.ts';
import { sayCount } from '../../shared/replays/count.ts';
import { findLeftByPlan } from '../../shared/replays/left-by-plan.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

/** Every process sweeps every few seconds, so work that is overdue for longer is not swept by anybody. In seconds. */
const overdueAfterSeconds = 60;
/** After so many looks of the sweep at a row, the problem is not that its workflow was never started. */
const sweptInVain = 5;
const mailAfterMinutes = 10;

/** Finds overdue work. `serving` tells whether a service should be doing it. */
export const examineBacklog = async (sql: Sql, { serving }: { serving: boolean }): Promise<Finding[]> => {
  const [deliveries] = await sql<[Overdue]>`
    select count(*) filter (where sweep_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds}))::int as overdue,
      count(*) filter (where sweeps >= ${sweptInVain})::int as stuck,
      min(sweep_at) filter (where sweep_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds})) as oldest
    from deliveries where in_progress`;
  const [mails] = await sql<[{ stuck: number; oldest: Date | null }]>`
    select count(*)::int as stuck, min(created_at) as oldest from mails
    where in_progress and created_at < clock_timestamp() - make_interval(mins => ${mailAfterMinutes})`;
  const [messages] = await sql<[Overdue]>`
    select count(*) filter (where sweep_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds}))::int as overdue,
      count(*) filter (where sweeps >= ${sweptInVain})::int as stuck,
      min(sweep_at) filter (where sweep_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds})) as oldest
    from sendings`;
  return [
    ...sayOverdue(deliveries, serving, { part: 'Deliveries', workflows: 'delivery/…' }),
    ...sayOverdue(messages, serving, { part: 'Messages', workflows: 'sending/…' }),
    mails.stuck === 0
      ? ok('Mails', 'none waiting for long')
      : (serving ? wrong : warning)(
          'Mails',
          `${mails.stuck} not sent for more than ${mailAfterMinutes} minutes, the oldest of ${mails.oldest?.toISOString()}`,
          serving ? 'see SMTP above, and the workflows mail/… in Temporal' : 'start the service: it sends them',
        ),
  ];
};

type Overdue = { overdue: number; stuck: number; oldest: Date | null };

const sayOverdue = (
  { overdue, stuck, oldest }: Overdue,
  serving: boolean,
  { part, workflows }: { part: string; workflows: string },
): Finding[] => {
  if (overdue === 0 && stuck === 0) return [ok(part, 'none overdue')];
  const since = `${overdue} overdue, the oldest since ${oldest?.toISOString()}`;
  if (overdue > 0 && !serving) return [warning(part, since, 'start the service: it goes on with them')];
  return [
    ...(overdue > 0
      ? [wrong(part, `${since}: no process looks after them`, 'start the service, or an API and a worker')]
      : []),
    ...(stuck > 0
      ? [
          wrong(
            part,
            `${stuck} make no progress, though looked after ${sweptInVain} times or more`,
            `see Temporal and Workers above, and the workflows ${workflows} in Temporal`,
          ),
        ]
      : []),
  ];
};

/** The most webhooks or accounts that are named. The others are named when these are mended. */
const namedAtMost = 5;
/** Deliveries are counted up to this number. */
const countedAtMost = 10_000;

/**
 * Deliveries that were parked after their webhook could be sent to again: nobody is asked whether to replay those. A process of
 * 0.2 that re-enables a webhook does not wait for one of this version that parks beside it, so this is looked for after an
 * upgrade. What was parked before, and what its owner chose not to replay, is no such delivery. It does not tell of what a
 * process of 0.2 has parked, nor of a replay of a delivery older than a day; and a plan that came back by a command of 0.2 has
 * left no time, so that what was parked for want of it counts.
 */
export const examineParked = async (sql: Sql): Promise<Finding> => {
  const late = await sql<{ accountId: string; webhookId: string; count: number; since: Date }[]>`
    select account_id, webhook_id, count(*)::int as count, min(uuid_extract_timestamp(id)) as since
    from (
      select d.id, d.account_id, d.webhook_id
      from webhooks w join accounts a on a.id = w.account_id,
        lateral (select greatest(coalesce(w.verified_at, w.created_at), a.plan_changed_at) as at) as sendable
        cross join lateral (
          select id, account_id, webhook_id from deliveries
          where webhook_id = w.id and status = 'parked' and id >= uuid_from_time(sendable.at - interval '1 day') and parked_at > sendable.at
          limit ${countedAtMost}) as d
      where ${isActive(sql)} and ${accountAllowsWebhooks(sql)}
      limit ${countedAtMost}) as parked
    group by account_id, webhook_id order by webhook_id limit ${namedAtMost}`;
  if (late.length === 0)
    return ok('Parked', 'none but for webhooks that may not be sent to, or from before they might be');
  const named = late.map(({ webhookId, count }) => `${count} of ${showId('webhook', webhookId)}`).join(', ');
  const commands = late.map(
    ({ accountId, webhookId, since }) =>
      `parley replays start --account ${showId('account', accountId)} --webhook ${showId('webhook', webhookId)} --status parked --since ${since.toISOString()}`,
  );
  return warning('Parked', `after their webhook could be sent to again: ${named}`, commands.join('; '));
};

/** Finds accounts whose plan came back. What was parked meanwhile is sent only when somebody asks for it. */
export const examinePlans = async (sql: Sql): Promise<Finding> => {
  const left = await findLeftByPlan(sql, { limit: namedAtMost });
  if (left.length === 0) return ok('Plans', 'none that came back has left deliveries parked');
  const named = left.map(({ accountId, count }) => `${sayCount(count)} of ${showId('account', accountId)}`).join(', ');
  const commands = left.map(
    ({ accountId, since }) =>
      `parley replays start --account ${showId('account', accountId)} --status parked --since ${since.toISOString()}`,
  );
  return warning('Plans', `back, and deliveries parked before wait for a replay: ${named}`, commands.join('; '));
};
