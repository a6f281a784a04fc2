import type { Fragment, Sql } from '../platform/db/connect.ts';

/** What a statement sees: which transactions had ended, as PostgreSQL writes it, and the first one that had not begun. */
export type Snapshot = { text: string; xmax: bigint };

/** The changes that are looked for: `before` did not see them. */
export type Window = { before: Snapshot; now: Snapshot };

/** The snapshot of this moment. */
export const takeSnapshot = async (sql: Sql): Promise<Snapshot> => {
  const [row] = await sql<[{ text: string; xmax: string }]>`
    select pg_current_snapshot()::text as text, pg_snapshot_xmax(pg_current_snapshot())::text as xmax`;
  return { text: row.text, xmax: BigInt(row.xmax) };
};

/** The number of transactions after which their numbers in rows begin anew. */
const cycle = 2n ** 32n;

/**
 * SQL: whether `version`, the column `xmin` of a row, is a transaction that `before` did not see. A row has the lower half of the number, so the
 * upper half is that of `now`. A transaction that began after `now` is told by the next window. A row that nobody has written for four billion
 * transactions may be taken for a changed one.
 */
export const isNew = (sql: Sql, version: Fragment, { before, now }: Window): Fragment => {
  const low = now.xmax % cycle;
  const number = sql`${version}::text::bigint`;
  return sql`not pg_visible_in_snapshot(
    greatest(3, ${String(now.xmax - low)}::bigint + ${number} - case when ${number} > ${String(low)}::bigint then ${String(cycle)}::bigint else 0 end)::text::xid8,
    ${before.text}::pg_snapshot)`;
};
