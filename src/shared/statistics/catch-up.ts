import type { Database, Sql } from '../platform/db/connect.ts';
import type { Within } from './counts.ts';
import { after, cancellable, hourOf, planForOneTime, type RollUp } from './roll-up-kind.ts';

/** The longest that one slice of an account may take, in ms. */
const statementTimeoutMs = 60_000;

/** The accounts that had more than so many rows of one table within a time. Of each no more than that are read. */
export const findBusy = async (
  sql: Sql,
  { timesAfter }: RollUp,
  { within, rows, signal }: { within: Within; rows: number; signal: AbortSignal | undefined },
): Promise<readonly string[]> => {
  const times = timesAfter(sql, sql`array[a.id]`, within, rows);
  const isBusy = times.map((time, place) => (place === 0 ? sql`${time} is not null` : sql`or ${time} is not null`));
  const busy = await cancellable(sql<{ id: string }[]>`select a.id from accounts a where ${isBusy}`, signal);
  return busy.map(({ id }) => id);
};

/**
 * Counts further slices of the accounts that are behind, in turn, for about so long; one slice at least. A slice has as many rows of each table as
 * an account may have in an hour of all. It is counted in the transaction that notes how far its account is.
 */
export const catchUp = async (
  db: Database,
  rollUp: RollUp,
  { rows, forMs, signal }: { rows: number; forMs: number; signal: AbortSignal | undefined },
): Promise<void> => {
  const untilMs = performance.now() + forMs;
  for (;;) {
    const account = await claimNext(db, rollUp);
    if (account === undefined || !(await countSlice(db, rollUp, { account, rows, signal }))) return;
    if (performance.now() >= untilMs || signal?.aborted) return;
  }
};

/** Notes the turn before the work: an account whose slices fail is the last one to be tried again. */
const claimNext = async (sql: Sql, { progress }: RollUp): Promise<string | undefined> => {
  const [claimed] = await sql<{ accountId: string }[]>`
    update statistics_behind set worked_at = clock_timestamp()
    where progress = ${progress} and account_id = (
      select account_id from statistics_behind where progress = ${progress} order by worked_at limit 1 for update skip locked)
    returning account_id`;
  return claimed?.accountId;
};

/** False when another process is at this account, or at the hour that ends its being behind. */
const countSlice = (
  db: Database,
  { progress, hours, timesAfter, add }: RollUp,
  { account, rows, signal }: { account: string; rows: number; signal: AbortSignal | undefined },
): Promise<boolean> =>
  db.begin(async (sql) => {
    const [behind] = await sql<{ since: Date; hour: Date; isDone: boolean }[]>`
      select counted_until as since, date_trunc('hour', counted_until, 'UTC') as hour, counted_until >= (select rolled_up_until from ${sql(progress)}) as is_done
      from statistics_behind where progress = ${progress} and account_id = ${account} for update skip locked`;
    if (!behind) return false;
    const { since, hour } = behind;
    if (behind.isDone) return leave(sql, progress, account);
    await planForOneTime(sql, statementTimeoutMs);
    const rest = { since, until: hourOf(hour).until };
    const times = timesAfter(sql, sql`array[${account}::uuid]`, rest, rows).map((time) => sql`, ${time}`);
    // At the least a millisecond, which ids tell apart.
    const [{ until }] = await sql<[{ until: Date }]>`
      select least(${rest.until}::timestamptz, greatest(${after(since, 1)}::timestamptz, least(${rest.until}::timestamptz ${times}))) as until`;
    if (since.getTime() === hour.getTime())
      await sql`delete from ${sql(hours)} where account_id = ${account} and hour = ${hour}`;
    await cancellable(add(sql, hour, { since, until }, { account }), signal);
    await sql`update statistics_behind set counted_until = ${until} where progress = ${progress} and account_id = ${account}`;
    return true;
  });

/** Whoever rolls up the next hour of all accounts has the row of progress locked, and leaves this account out: then it stays for that hour. */
const leave = async (sql: Sql, progress: RollUp['progress'], account: string): Promise<boolean> => {
  const [all] = await sql`select from ${sql(progress)} for update skip locked`;
  if (!all) return false;
  await sql`
    delete from statistics_behind where progress = ${progress} and account_id = ${account}
      and counted_until >= (select rolled_up_until from ${sql(progress)})`;
  return true;
};
