import type { Sql } from '../shared/platform/db/connect.ts';
import { dueAt } from '../shared/statistics/rolling.ts';

/** The numbers of the whole installation, which the database knows. They are the same in every process. */
export type Installation = {
  /** By status, with 0 for those without any, because Prometheus sees an increase only from a value. */
  unfinished: { status: string; count: number }[];
  /** How long the most overdue delivery has been due, in seconds; 0 when none is overdue. */
  deliveriesOverdueSeconds: number;
  mailsUnfinished: number;
  /** The age of the oldest unsent mail, in seconds; 0 when there is none. */
  mailsOverdueSeconds: number;
  messagesQueued: number;
  /** How long the conversation that is most overdue should have been looked after; 0 when none is. */
  messagesOverdueSeconds: number;
  runsOpen: number;
  /** How long the run that is most overdue should have been looked after; 0 when none is. */
  runsOverdueSeconds: number;
  /** First runs of chains that have caused too many others in the last hour. */
  runChainsGuarded: number;
  /** Of the account with the most: its runs whose first step is still to come, where they were counted in the last minute. */
  runsBacklog: number;
  /** Origins that External Requests call no more for a while. */
  originsOpen: number;
  /** How long the oldest hour that is not rolled up should have been; 0 when none is due. */
  statisticsOverdueSeconds: number;
  webhooks: { state: string; count: number }[];
  connections: { state: string; count: number }[];
  connectionsLimit: number;
};

/** Counts end at this number, which means that many or more, so that the cost of reading does not grow with the log. */
export const gaugeCap = 10_001;

/**
 * Reads the numbers by indexes, at most `gaugeCap` entries of each. A delivery is due from its creation, a retry from its time, and a replayed
 * delivery from the next look of the sweep, because the time of the request is not recorded. Caps are literals, so that PostgreSQL plans each
 * query once per connection.
 */
export const readInstallation = async (sql: Sql, { cap: most = gaugeCap } = {}): Promise<Installation> => {
  const cap = sql.unsafe(String(most));
  const [
    unfinished,
    [overdue],
    [mails],
    [messages],
    [runs],
    [guarded],
    [origins],
    [statistics],
    webhooks,
    connections,
    [limit],
  ] = await Promise.all([
    sql<Installation['unfinished']>`
      select 'pending' as status, count(*)::int as count from (
        select from deliveries where status = 'pending' limit ${cap}) as counted
      union all
      select 'retrying', count(*)::int from (select from deliveries where status = 'retrying' limit ${cap}) as counted
      union all
      select 'parked', count(*)::int from (select from deliveries where status = 'parked' limit ${cap}) as counted`,
    // The sweep never looks before a row is due. So `sweep_at` is the time only of replayed deliveries, and the others take the earlier one.
    sql<{ seconds: number | null }[]>`
      select extract(epoch from clock_timestamp() - least(
        (select min(next_attempt_at) from deliveries where in_progress and next_attempt_at is not null),
        (select min(created_at) from (
          select created_at, round from deliveries where status = 'pending' order by id limit ${cap}) as oldest where round = 1),
        (select min(sweep_at) from deliveries where in_progress)))::float8 as seconds`,
    sql<{ count: number; seconds: number | null }[]>`
      select count(*)::int as count, extract(epoch from clock_timestamp() - min(created_at))::float8 as seconds
      from (select created_at from mails where in_progress order by sweep_at limit ${cap}) as counted`,
    sql<{ count: number; seconds: number | null }[]>`
      select (select count(*)::int from (select from outbound_messages where status = 'queued' limit ${cap}) as counted) as count,
        (select extract(epoch from clock_timestamp() - min(sweep_at))::float8 from sendings) as seconds`,
    sql<{ count: number; seconds: number | null }[]>`
      select (select count(*)::int from (select from runs where in_progress limit ${cap}) as counted) as count,
        (select extract(epoch from clock_timestamp() - min(sweep_at))::float8 from runs where sweep_at < now()) as seconds`,
    sql<{ chains: number; backlog: number }[]>`
      select (select count(*)::int from (
          select from run_fan_outs where refused > 0 and refused_at > now() - interval '1 hour' limit ${cap}) as counted) as chains,
        (select coalesce(max(runs), 0) from run_backlogs where counted_at > now() - interval '1 minute') as backlog`,
    sql<{ count: number }[]>`
      select count(*)::int as count from (select from origin_breakers where opened_at is not null limit ${cap}) as counted`,
    sql<{ seconds: number }[]>`
      select extract(epoch from clock_timestamp() - min(${dueAt(sql)}))::float8 as seconds from (
        select rolled_up_until from statistics_progress union all select rolled_up_until from activity_progress) as progress`,
    sql<Installation['webhooks']>`
      select 'active' as state, count(*)::int as count from (
        select from webhooks where deleted_at is null and disabled_reason is null limit ${cap}) as counted
      union all
      select 'disabled', count(*)::int from (
        select from webhooks where deleted_at is null and disabled_reason = 'failures' limit ${cap}) as counted
      union all
      select 'unverified', count(*)::int from (
        select from webhooks where deleted_at is null and disabled_reason = 'unverified' limit ${cap}) as counted`,
    sql<Installation['connections']>`
      select state, count(*)::int as count from pg_stat_activity
      where backend_type = 'client backend' and datname = current_database() and state is not null group by state`,
    sql<{ count: number }[]>`select current_setting('max_connections')::int as count`,
  ]);
  return {
    unfinished,
    deliveriesOverdueSeconds: Math.max(0, overdue?.seconds ?? 0),
    mailsUnfinished: mails?.count ?? 0,
    mailsOverdueSeconds: mails?.seconds ?? 0,
    runsOpen: runs?.count ?? 0,
    runsOverdueSeconds: Math.max(0, runs?.seconds ?? 0),
    runChainsGuarded: guarded?.chains ?? 0,
    runsBacklog: guarded?.backlog ?? 0,
    originsOpen: origins?.count ?? 0,
    messagesQueued: messages?.count ?? 0,
    messagesOverdueSeconds: Math.max(0, messages?.seconds ?? 0),
    statisticsOverdueSeconds: Math.max(0, statistics?.seconds ?? 0),
    webhooks,
    connections,
    connectionsLimit: limit?.count ?? 0,
  };
};
