import type { Sql } from '../../shared/platform/db/connect.ts';
import { ok, warning, wrong, type Finding } from './finding.ts';

/** Every process sweeps every few seconds: what lies longer than this, nobody sweeps. */
const overdueAfterSeconds = 60;
/** The sweep has come back to the same row so often that starting its workflow cannot be what is missing. */
const sweptInVain = 5;
const mailAfterMinutes = 10;

/** Work that nobody does: `serving` tells whether somebody should. */
export const examineBacklog = async (sql: Sql, { serving }: { serving: boolean }): Promise<Finding[]> => {
  const [deliveries] = await sql<[{ overdue: number; stuck: number; oldest: Date | null }]>`
    select count(*) filter (where sweep_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds}))::int as overdue,
      count(*) filter (where sweeps >= ${sweptInVain})::int as stuck,
      min(sweep_at) filter (where sweep_at < clock_timestamp() - make_interval(secs => ${overdueAfterSeconds})) as oldest
    from deliveries where in_progress`;
  const [mails] = await sql<[{ stuck: number; oldest: Date | null }]>`
    select count(*)::int as stuck, min(created_at) as oldest from mails
    where in_progress and created_at < clock_timestamp() - make_interval(mins => ${mailAfterMinutes})`;
  return [
    ...sayDeliveries(deliveries, serving),
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

const sayDeliveries = ({ overdue, stuck, oldest }: Overdue, serving: boolean): Finding[] => {
  const part = 'Deliveries';
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
            'see Temporal and Workers above, and the workflows delivery/… in Temporal',
          ),
        ]
      : []),
  ];
};
