import type { Fragment, Sql } from '../platform/db/connect.ts';

/** So many processes may claim at once and each still finds unlocked rows. */
const processesAtMost = 10;

/** The most that one claim visits; beyond that, each claim begins at another account. */
const visited = { accounts: 32, webhooks: 64 };

/**
 * Selects the next `limit` overdue deliveries and locks them `for update skip locked`. Accounts alternate, and within an account its
 * webhooks, even when one has a hundred thousand older ones.
 *
 * Beyond `candidates` overdue deliveries it visits accounts with anything in progress, by a loose index scan of `deliveries_in_progress`, instead of
 * reading them all. Numbers are literals, so that PostgreSQL plans the query once per connection.
 */
export const selectFairly = (sql: Sql, limit: number, only: Fragment = sql`true`) => {
  const candidates = limit * processesAtMost;
  const number = (value: number) => sql.unsafe(String(value));
  const visit = (name: string, beginning: ReturnType<typeof number>) => sql`
    ${sql(name)} (account_id, nth) as (
      (select account_id, 1 from deliveries where in_progress and ${beginning} order by account_id, webhook_id, sweep_at limit 1)
      union all
      select next.account_id, nth + 1 from ${sql(name)} as former, lateral (
        select account_id from deliveries
        where in_progress and account_id > former.account_id order by account_id, webhook_id, sweep_at limit 1) as next
      where nth < ${number(visited.accounts)})`;
  return sql`
    with recursive oldest as materialized (
      select id, account_id, webhook_id, sweep_at from deliveries
      where sweep_at <= now() and ${only} order by sweep_at limit ${number(candidates)}),
    beginning as materialized (
      select coalesce(
        (select id from accounts order by id offset floor(random() * (select count(*) from accounts)) limit 1),
        '00000000-0000-0000-0000-000000000000') as account_id
      where (select count(*) from oldest) = ${number(candidates)}
        and (select indisvalid from pg_index where indexrelid = 'deliveries_in_progress'::regclass)),
    ${visit('later', sql`account_id >= (select account_id from beginning)`)},
    ${visit('earlier', sql`exists (select from beginning) and (select count(*) from later) < ${number(visited.accounts)}`)},
    visited as materialized (select account_id from later union select account_id from earlier),
    lines as materialized (
      select account_id, webhook_id from visited, lateral (
        with recursive of_account (webhook_id, nth) as (
          (select webhook_id, 1 from deliveries
            where in_progress and account_id = visited.account_id order by webhook_id, sweep_at limit 1)
          union all
          select next.webhook_id, nth + 1 from of_account as former, lateral (
            select webhook_id from deliveries
            where in_progress and account_id = visited.account_id and webhook_id > former.webhook_id
            order by webhook_id, sweep_at limit 1) as next
          where nth < (select greatest(1, ${number(visited.webhooks)} / count(*)) from visited))
        select webhook_id from of_account) as of_account),
    heads as (
      select head.* from lines, lateral (
        select id, account_id, webhook_id, sweep_at from deliveries
        where account_id = lines.account_id and webhook_id between lines.webhook_id and lines.webhook_id and sweep_at <= now() and ${only}
        order by webhook_id, sweep_at limit (select 1 + ${number(3 * limit)} / count(*) from lines)) as head),
    ranked as (
      select *, row_number() over (partition by account_id, webhook_id order by sweep_at) as nth
      from (select * from oldest union select * from heads) as found),
    merged as (
      select id, sweep_at, row_number() over (partition by account_id order by nth, sweep_at) as rank from ranked)
    select overdue.id from (select id from merged order by rank, sweep_at limit ${number(candidates)}) as next, lateral (
      select id from deliveries where id = next.id and sweep_at <= now() and ${only} for update skip locked) as overdue
    limit ${number(limit)}`;
};
