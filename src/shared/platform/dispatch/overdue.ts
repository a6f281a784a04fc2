import type { Sql } from '../db/connect.ts';
import { asItem, asWake, type Work, type WorkItem, type WorkRow } from './work.ts';

/** The most rows of each kind in one claim, which writes each row to ten indexes and compares ten candidates for it. */
export const claimLimit = 100;

/** A claim is a lease, so that the rows of a process that dies are claimed again. */
const defaultLease = (sql: Sql) => sql`sweep_at = clock_timestamp() + interval '20 seconds'`;

/** `beforeWorkflows` claims only rows whose first attempt an outbox makes. */
type Claim = { beforeWorkflows: boolean };

/** Claims overdue rows of these kinds, which no other process claims during the lease. */
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
      update ${sql(work.table)} set ${work.lease?.(sql) ?? defaultLease(sql)} where id = any(array(select id from overdue))
      returning ${work.columns(sql)}${work.claimColumns ? sql`, ${work.claimColumns(sql)}` : sql``}`;
    items.push(...rows.map((row) => itemOf(work, row)));
  }
  return items;
};

const itemOf = (work: Work, row: WorkRow): WorkItem => (work.wakeSignal === undefined ? asItem : asWake)(work, row);

const selectOldest =
  ({ table }: Work) =>
  (sql: Sql, { limit }: { limit: number }) =>
    sql`
    select id from ${sql(table)} where sweep_at <= now() order by sweep_at limit ${limit} for update skip locked`;

/** Releases claims whose start failed, for 5 s, and twice as long after each further failure, at most a minute: most likely Temporal is away. */
export const releaseLease = (sql: Sql, items: readonly WorkItem[]): Promise<void> =>
  updateClaimed(
    sql,
    items,
    sql`sweeps = sweeps + 1, sweep_at = clock_timestamp() + least(
      interval '1 minute', interval '5 seconds' * 2 ^ least(sweeps, 6))`,
  );

/**
 * Renews claims that a workflow carries, by 20 s at the second sweep and twice as long each time, at most 10 minutes. A later time that the workflow
 * has set stays.
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
  change: ReturnType<typeof defaultLease>,
): Promise<void> => {
  for (const work of new Set(items.map((item) => item.work))) {
    const ids = items.flatMap((item) => (item.work === work ? [item.row.id] : []));
    await sql`update ${sql(work.table)} set ${change} where id = any(${ids}::uuid[]) and in_progress`;
  }
};

/** Counts a lost workflow of a row, and answers its successor. Undefined when the row is finished or another process has counted first. */
export const countResume = async (sql: Sql, { work, row }: WorkItem): Promise<WorkItem | undefined> => {
  const [counted] = await sql`
    update ${sql(work.table)} set resumes = resumes + 1
    where id = ${row.id} and resumes = ${row.resumes} and in_progress and ${work.isSameRun?.(sql, row) ?? sql`true`}
    returning 1`;
  return counted && itemOf(work, { ...row, resumes: row.resumes + 1 });
};
