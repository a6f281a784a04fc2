import type { Sql } from '../db/connect.ts';
import { asItem, asWake, type Work, type WorkItem, type WorkRow } from './work.ts';

/**
 * The most rows of each kind in one claim. A full claim is followed by the next one. A claim's cost grows with this number: it writes
 * each of its rows to ten indexes, and compares ten candidates for each.
 */
export const claimLimit = 100;

/** A claim is a lease, of 20 s unless the kind says otherwise. Its process releases or renews it. When the process dies, the rows are claimed again. */
const usualLease = (sql: Sql) => sql`sweep_at = clock_timestamp() + interval '20 seconds'`;

/** `beforeWorkflows`: only rows whose first attempt is to be made by an outbox, of kinds that have one. */
type Claim = { beforeWorkflows: boolean };

/** Claims the overdue rows of these kinds. No other process claims them while the lease lasts. */
export const claimOverdue = async (
  sql: Sql,
  works: readonly Work[],
  claim: Claim = { beforeWorkflows: false },
): Promise<WorkItem[]> => {
  const items: WorkItem[] = [];
  for (const work of works) {
    const { selectOverdue = selectOldest(work) } = work;
    const rows = await sql<WorkRow[]>`
      with overdue as (${selectOverdue(sql, { limit: claimLimit, ...claim })})
      update ${sql(work.table)} set ${work.lease?.(sql) ?? usualLease(sql)} where id = any(array(select id from overdue))
      returning ${work.columns(sql)}${work.claimColumns ? sql`, ${work.claimColumns(sql)}` : sql``}`;
    items.push(...rows.map((row) => itemOf(work, row)));
  }
  return items;
};

/** The sweep makes the call that was lost. */
const itemOf = (work: Work, row: WorkRow): WorkItem => (work.wakeSignal === undefined ? asItem : asWake)(work, row);

const selectOldest =
  ({ table }: Work) =>
  (sql: Sql, { limit }: { limit: number }) =>
    sql`
    select id from ${sql(table)} where sweep_at <= now() order by sweep_at limit ${limit} for update skip locked`;

/**
 * Releases the lease of claims whose start failed. The sweep claims them again after 5 s, and waits twice as long after each further
 * failure, at most a minute: most likely it is Temporal that fails.
 */
export const releaseLease = (sql: Sql, items: readonly WorkItem[]): Promise<void> =>
  updateClaimed(
    sql,
    items,
    sql`sweeps = sweeps + 1, sweep_at = clock_timestamp() + least(
      interval '1 minute', interval '5 seconds' * 2 ^ least(sweeps, 6))`,
  );

/**
 * Renews the lease of claims that a workflow carries: by 20 s at the second look, twice as long after each further one, at most
 * 10 minutes. A later time that the workflow has set meanwhile stays.
 */
export const renewLease = (sql: Sql, items: readonly WorkItem[]): Promise<void> =>
  updateClaimed(
    sql,
    items,
    sql`sweeps = sweeps + 1, sweep_at = greatest(
      sweep_at, clock_timestamp() + least(interval '10 minutes', interval '10 seconds' * 2 ^ least(sweeps, 6)))`,
  );

const updateClaimed = async (
  sql: Sql,
  items: readonly WorkItem[],
  change: ReturnType<typeof usualLease>,
): Promise<void> => {
  for (const work of new Set(items.map((item) => item.work))) {
    const ids = items.flatMap((item) => (item.work === work ? [item.row.id] : []));
    await sql`update ${sql(work.table)} set ${change} where id = any(${ids}::uuid[]) and in_progress`;
  }
};

/**
 * Counts one more workflow for a row whose workflow was lost. Undefined when the row was finished meanwhile, or another process
 * has counted first.
 */
export const countResume = async (sql: Sql, { work, row }: WorkItem): Promise<WorkItem | undefined> => {
  const [counted] = await sql`
    update ${sql(work.table)} set resumes = resumes + 1
    where id = ${row.id} and resumes = ${row.resumes} and in_progress and ${work.isSameRun?.(sql, row) ?? sql`true`}
    returning 1`;
  return counted && itemOf(work, { ...row, resumes: row.resumes + 1 });
};
