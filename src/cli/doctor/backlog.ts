import type { Sql } from '../../shared/platform/db/connect.ts';
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
      ? ok('Mails', 'none overdue')
      : (serving ? wrong : warning)(
          'Mails',
          `${mails.stuck} not sent for more than ${mailAfterMinutes} minutes, the oldest created ${mails.oldest?.toISOString()}`,
          serving ? 'check SMTP above and the workflows mail/… in Temporal' : 'start the service to send them',
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
  if (overdue > 0 && !serving) return [warning(part, since, 'start the service to resume them')];
  return [
    ...(overdue > 0
      ? [wrong(part, `${since}: no process handles them`, 'start the service, or an API and a worker')]
      : []),
    ...(stuck > 0
      ? [
          wrong(
            part,
            `${stuck} make no progress after ${sweptInVain} sweeps or more`,
            `check Temporal and Workers above, and the workflows ${workflows} in Temporal`,
          ),
        ]
      : []),
  ];
};

/** The report names at most so many accounts. */
const namedAtMost = 5;

/** Finds accounts whose plan came back. What was parked meanwhile is sent only when somebody asks for it. */
export const examinePlans = async (sql: Sql): Promise<Finding> => {
  const left = await findLeftByPlan(sql, { limit: namedAtMost });
  if (left.length === 0) return ok('Plans', 'no restored plan has left deliveries parked');
  const named = left.map(({ accountId, count }) => `${sayCount(count)} of ${showId('account', accountId)}`).join(', ');
  const commands = left.map(
    ({ accountId, since }) =>
      `parley replays start --account ${showId('account', accountId)} --status parked --since ${since.toISOString()}`,
  );
  return warning(
    'Plans',
    `deliveries parked before the plan was restored need a replay: ${named}`,
    commands.join('; '),
  );
};
