import type { Database, Fragment, Sql } from '../platform/db/connect.ts';
import { catchUp, findBusy } from './catch-up.ts';
import { hourMs } from './counts.ts';
import { after, cancellable, hourOf, planForOneTime, type RollUp } from './roll-up-kind.ts';

/**
 * How long after its end an hour is rolled up, in minutes: what happened in it is committed by then. What the database could be told only later,
 * because it was away, is counted with the next hour, which rolls up the one before it once more.
 */
const marginMinutes = 5;

/** The most hours of one call: what a long outage has left is caught up with in steps. */
const hoursAtOnce = 48;

/** The most rows of one table that an account may have in an hour to be counted with all others: PostgreSQL counts them in a second or few. */
const mostRows = 100_000;

/** How long one call may spend on the accounts that had more, in ms. The next hour of all others may be due meanwhile. */
const usualCatchUpMs = 20_000;

/** An hour of a very busy installation takes PostgreSQL some seconds. In ms. */
const statementTimeoutMs = 600_000;

export type RollUpOptions = {
  now?: Date | undefined;
  signal?: AbortSignal | undefined;
  rowsOfAccount?: number | undefined;
  catchUpMs?: number | undefined;
};

/**
 * Rolls up the hours that are over, in their order. An hour is counted whole and replaced, in the transaction that moves `rolled_up_until`, so that
 * nothing counts twice however often it is done. One process does it at a time: another one finds the row locked, and leaves. Answers how many hours
 * it has rolled up. Hours are over on the clock of the database, unless `now` is given. `signal` cancels the hour under way; it then rejects.
 * Accounts with more than `rowsOfAccount` rows of a table in an hour are left out of it. They are caught up with afterwards, slice by slice.
 */
export const rollUpHours = async (
  db: Database,
  rollUp: RollUp,
  { now, signal, rowsOfAccount: rows = mostRows, catchUpMs = usualCatchUpMs }: RollUpOptions = {},
): Promise<number> => {
  if (!(await isIndexed(db, rollUp))) return 0;
  let rolledUp = 0;
  for (; rolledUp < hoursAtOnce; rolledUp += 1) {
    if (signal?.aborted) return rolledUp;
    if (!(await rollUpNext(db, rollUp, { now, signal, rows }))) break;
  }
  await catchUp(db, rollUp, { rows, forMs: catchUpMs, signal });
  return rolledUp;
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

type Pass = { now: Date | undefined; signal: AbortSignal | undefined; rows: number };

/** False when no hour is due, or another process is at it. */
const rollUpNext = (db: Database, rollUp: RollUp, { now, signal, rows }: Pass): Promise<boolean> =>
  db.begin(async (sql) => {
    const progress = sql(rollUp.progress);
    const [next] = await sql<{ hour: Date }[]>`
      select rolled_up_until as hour from ${progress}
      where ${dueAt(sql)} <= ${now ?? sql`now()`} for update skip locked`;
    if (!next) return false;
    await planForOneTime(sql, statementTimeoutMs);
    const last = after(next.hour, -hourMs);
    // Hours of busy accounts are counted once: later than those of others, so that they are complete.
    const busyBefore = await findBusy(sql, rollUp, { within: hourOf(last), rows, signal });
    await replaceHour(sql, rollUp, { hour: last, but: [...busyBefore, ...(await listBehind(sql, rollUp))], signal });
    const busy = await findBusy(sql, rollUp, { within: hourOf(next.hour), rows, signal });
    await sql`
      insert into statistics_behind (progress, account_id, counted_until)
      select ${rollUp.progress}, id, ${next.hour} from unnest(${[...busy]}::uuid[]) as id on conflict do nothing`;
    await replaceHour(sql, rollUp, { hour: next.hour, but: await listBehind(sql, rollUp), signal });
    await sql`update ${progress} set rolled_up_until = ${next.hour}::timestamptz + interval '1 hour'`;
    return true;
  });

const listBehind = async (sql: Sql, { progress }: RollUp): Promise<readonly string[]> => {
  const behind = await sql<{ accountId: string }[]>`
    select account_id from statistics_behind where progress = ${progress}`;
  return behind.map(({ accountId }) => accountId);
};

const replaceHour = async (
  sql: Sql,
  { hours, add }: RollUp,
  { hour, but, signal }: { hour: Date; but: readonly string[]; signal: AbortSignal | undefined },
): Promise<void> => {
  await sql`delete from ${sql(hours)} where hour = ${hour} and account_id <> all(${[...but]}::uuid[])`;
  await cancellable(add(sql, hour, hourOf(hour), { allBut: but }), signal);
};
