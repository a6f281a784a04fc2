import type { Sql } from '../db/connect.ts';

/** What is told of each even when there are none: what grows from nothing is seen to grow only from a 0. */
const unfinishedStatuses = ['pending', 'retrying', 'parked'] as const;
const webhookStates = ['active', 'disabled', 'unverified'] as const;

/** What the database knows of the whole installation; every process tells the same. */
export type Installation = {
  unfinished: { status: string; count: number }[];
  /** How long the delivery that is most overdue should have been attempted; 0 when none is. */
  deliveriesOverdueSeconds: number;
  mailsUnfinished: number;
  /** The age of the oldest mail that is still to be sent; 0 when there is none. */
  mailsOverdueSeconds: number;
  webhooks: { state: string; count: number }[];
  connections: { state: string; count: number }[];
  connectionsLimit: number;
};

/**
 * Reads it by the indexes of what is unfinished. A delivery is due when it was made, its retries at their time, and what is
 * sent again when the sweep would look after it, for nothing tells when that was asked for.
 */
export const readInstallation = async (sql: Sql): Promise<Installation> => {
  const [unfinished, [overdue], [mails], webhooks, connections, [limit]] = await Promise.all([
    sql<Installation['unfinished']>`
      select status, count(*)::int as count from deliveries where status in ('pending', 'retrying', 'parked') group by status`,
    sql<{ seconds: number | null }[]>`
      select extract(epoch from clock_timestamp() - min(
        coalesce(next_attempt_at, case when round = 1 and status = 'pending' then created_at else sweep_at end)))::float8 as seconds
      from deliveries where sweep_at is not null`,
    sql<{ count: number; seconds: number | null }[]>`
      select count(*)::int as count, extract(epoch from clock_timestamp() - min(created_at))::float8 as seconds
      from mails where sweep_at is not null`,
    sql<Installation['webhooks']>`
      select case disabled_reason when 'failures' then 'disabled' when 'unverified' then 'unverified' else 'active' end as state,
        count(*)::int as count
      from webhooks where deleted_at is null group by 1`,
    sql<Installation['connections']>`
      select state, count(*)::int as count from pg_stat_activity
      where backend_type = 'client backend' and datname = current_database() and state is not null group by state`,
    sql<{ count: number }[]>`select current_setting('max_connections')::int as count`,
  ]);
  return {
    unfinished: unfinishedStatuses.map(
      (status) => unfinished.find((row) => row.status === status) ?? { status, count: 0 },
    ),
    deliveriesOverdueSeconds: Math.max(0, overdue?.seconds ?? 0),
    mailsUnfinished: mails?.count ?? 0,
    mailsOverdueSeconds: mails?.seconds ?? 0,
    webhooks: webhookStates.map((state) => webhooks.find((row) => row.state === state) ?? { state, count: 0 }),
    connections,
    connectionsLimit: limit?.count ?? 0,
  };
};
