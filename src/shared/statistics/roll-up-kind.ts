import type { Fragment, Sql } from '../platform/db/connect.ts';
import { hourMs, type Within } from './counts.ts';

/** The accounts whose rows are counted: one, or all but these. Ids are UUIDs. */
export type Counted = { account: string } | { allBut: readonly string[] };

type Statement<Result> = PromiseLike<Result> & { cancel: () => void };

/** What is rolled up, and by which tables and indexes. */
export type RollUp = {
  progress: 'statistics_progress' | 'activity_progress';
  hours: 'statistics_hours' | 'activity_hours';
  /** Without it an hour would read a whole table. */
  index: 'attempts_started' | 'runs_ended';
  /** SQL: for each table that an account may fill the time of its row after so many others of this time; null where there are not so many. */
  timesAfter: (sql: Sql, account: Fragment, within: Within, rows: number) => Fragment[];
  /** Adds what happened within a time, which is of one hour, to the rows of that hour. */
  add: (sql: Sql, hour: Date, within: Within, counted: Counted) => Statement<unknown>;
};

/** SQL: up to which hour an account is rolled up: as all are, unless it is behind. */
export const hoursReadyUntil = (sql: Sql, progress: RollUp['progress'], account: Fragment): Fragment => sql`
  (select least(all_accounts.rolled_up_until, date_trunc('hour', behind.counted_until, 'UTC'))
  from ${sql(progress)} as all_accounts left join statistics_behind as behind on behind.progress = ${progress} and behind.account_id = ${account})`;

/** Up to which hour rows are rolled up that were read with it: there is one at least. */
export const rolledUpOf = ([first]: readonly { rolledUpUntil: Date }[]): Date => {
  if (!first) throw new Error('statistics have no row of progress');
  return first.rolledUpUntil;
};

/** An hour that begins then. */
export const hourOf = (hour: Date): Within => ({ since: hour, until: after(hour, hourMs) });

/** Has the statements of a transaction planned for their times alone, so that weeks without rows of them are left out. One core is busy at most. */
export const planForOneTime = async (sql: Sql, timeoutMs: number): Promise<void> => {
  await sql`
    select set_config('statement_timeout', ${String(timeoutMs)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true), set_config('max_parallel_workers_per_gather', '0', true),
      set_config('work_mem', '32MB', true)`;
};

/** SQL: narrows rows to the accounts that are counted; `column` has their account. */
export const ofCounted = (sql: Sql, counted: Counted, column: Fragment): Fragment => {
  if ('account' in counted) return sql`and ${column} = ${counted.account}`;
  return counted.allBut.length === 0 ? sql`` : sql`and ${column} <> all(${[...counted.allBut]}::uuid[])`;
};

/** Waits for a statement, which `signal` cancels. */
export const cancellable = async <Result>(
  statement: Statement<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> => {
  const cancel = (): void => statement.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await statement;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
};

export const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);

/** SQL: a sum of two histograms, of which each may be null; written for `on conflict do update`. */
export const sumOf = (sql: Sql, [one, other]: readonly [Fragment, Fragment]): Fragment => sql`
  case when ${one} is null then ${other} when ${other} is null then ${one} else (
    select array_agg(a + b order by place) from unnest(${one}, ${other}) with ordinality as both_of (a, b, place)) end`;

/** SQL: the time of an account's row after so many others, for tables with an index of account and id. */
export const timeAfter = (
  sql: Sql,
  table: 'messages' | 'contacts' | 'runs' | 'events' | 'deliveries',
  account: Fragment,
  { since, until, rows }: Within & { rows: number },
): Fragment => sql`(
  select uuid_extract_timestamp(id) from ${sql(table)}
  where account_id = any(${account}) and id >= uuid_from_time(${since}) and id < uuid_from_time(${until})
  order by account_id, id offset ${rows} limit 1)`;
