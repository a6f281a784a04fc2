import type { Database, Fragment, Sql } from '../platform/db/connect.ts';
import { hourMs } from './counts.ts';

/**
 * How long after its end an hour is rolled up, in minutes: what happened in it is committed by then. What the database could be told only later,
 * because it was away, is counted with the next hour, which rolls up the one before it once more.
 */
const marginMinutes = 5;

/** The most hours of one call: what a long outage has left is caught up with in steps. */
const hoursAtOnce = 48;

/** An hour of a very busy installation takes PostgreSQL some seconds. In ms. */
const statementTimeoutMs = 600_000;

/** What is rolled up: how far it is, the index without which an hour would read a whole table, and how an hour is counted and replaced. */
export type RollUp = {
  progress: 'statistics_progress' | 'activity_progress';
  index: 'attempts_started' | 'runs_ended';
  replaceHour: (sql: Sql, hour: Date, signal: AbortSignal | undefined) => Promise<void>;
};

export type RollUpOptions = { now?: Date | undefined; signal?: AbortSignal | undefined };

/**
 * Rolls up the hours that are over, in their order. An hour is counted whole and replaced, in the transaction that moves `rolled_up_until`, so that
 * nothing counts twice however often it is done. One process does it at a time: another one finds the row locked, and leaves. Answers how many hours
 * it has rolled up. Hours are over on the clock of the database, unless `now` is given. `signal` cancels the hour under way; it then rejects.
 */
export const rollUpHours = async (db: Database, rollUp: RollUp, options: RollUpOptions = {}): Promise<number> => {
  if (!(await isIndexed(db, rollUp))) return 0;
  for (let rolledUp = 0; rolledUp < hoursAtOnce; rolledUp += 1) {
    if (options.signal?.aborted || !(await rollUpNext(db, rollUp, options))) return rolledUp;
  }
  return hoursAtOnce;
};

/** SQL: when the next hour of a table of progress is to be rolled up. */
export const dueAt = (sql: Sql): Fragment =>
  sql`(rolled_up_until + interval '1 hour' + make_interval(mins => ${marginMinutes}))`;

/** Whether the index is built, which after an upgrade may take a while. */
const isIndexed = async (sql: Sql, { index }: RollUp): Promise<boolean> => {
  const [found] = await sql<{ indisvalid: boolean }[]>`
    select indisvalid from pg_index where indexrelid = to_regclass(${index})`;
  return found?.indisvalid ?? false;
};

/** False when no hour is due, or another process is at it. */
const rollUpNext = (db: Database, rollUp: RollUp, { now, signal }: RollUpOptions): Promise<boolean> =>
  db.begin(async (sql) => {
    const progress = sql(rollUp.progress);
    const [next] = await sql<{ hour: Date }[]>`
      select rolled_up_until as hour from ${progress}
      where ${dueAt(sql)} <= ${now ?? sql`now()`} for update skip locked`;
    if (!next) return false;
    // A plan for this hour alone leaves out the weeks that have nothing of it. One core is busy with it at most.
    await sql`
      select set_config('statement_timeout', ${String(statementTimeoutMs)}, true),
        set_config('plan_cache_mode', 'force_custom_plan', true), set_config('max_parallel_workers_per_gather', '0', true),
        set_config('work_mem', '32MB', true)`;
    for (const hour of [after(next.hour, -hourMs), next.hour]) await rollUp.replaceHour(sql, hour, signal);
    await sql`update ${progress} set rolled_up_until = ${next.hour}::timestamptz + interval '1 hour'`;
    return true;
  });

/** Waits for a statement, which `signal` cancels. */
export const cancellable = async (
  statement: PromiseLike<unknown> & { cancel: () => void },
  signal: AbortSignal | undefined,
): Promise<void> => {
  const cancel = (): void => statement.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    await statement;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
};

export const after = (time: Date, ms: number): Date => new Date(time.getTime() + ms);
