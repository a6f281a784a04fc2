import type postgres from 'postgres';
import type { Sql } from '../db/connect.ts';
import { showId } from '../../ids.ts';
import type { MasterKeys } from './seal.ts';

/**
 * Every column that holds sealed values, and the columns of the place that each value is bound to. With what `signs` the
 * deliveries are signed: a process that cannot open it is of no use.
 */
const sealedColumns = [
  { table: 'idempotency_keys', column: 'answer', account: 'account_id', row: 'key', signs: false, deletable: false },
  { table: 'webhooks', column: 'secret', account: 'account_id', row: 'id', signs: true, deletable: true },
  { table: 'accounts', column: 'webhook_secret', account: 'id', row: 'id', signs: true, deletable: false },
  // These sign, too, but a delivery is as good without them.
  { table: 'webhooks', column: 'previous_secret', account: 'account_id', row: 'id', signs: false, deletable: true },
  { table: 'accounts', column: 'previous_webhook_secret', account: 'id', row: 'id', signs: false, deletable: false },
] as const;

type SealedColumn = (typeof sealedColumns)[number];
type Table = SealedColumn['table'];

/** A sealed value and where it is. */
export type SealedRow = { accountId: string; rowId: string; sealed: Buffer };

/** Where a sealed value is, for those who have to look after it. */
export type SealedPlace = { table: Table; accountId: string; rowId: string };

/** The id of the row as it is known outside; of a kept answer, its idempotency key. */
export const showRow = ({ table, rowId }: Pick<SealedPlace, 'table' | 'rowId'>): string => {
  if (table === 'webhooks') return showId('webhook', rowId);
  return table === 'accounts' ? showId('account', rowId) : rowId;
};

/** How many values of a table were sealed with the key that seals now, with another one that opens, and with none given. */
export type SealedCount = { table: Table; current: number; previous: number; unknown: number };

/** Counts them by the key that they say they were sealed with. */
export const countSealed = async (sql: Sql, keys: MasterKeys): Promise<SealedCount[]> => {
  const current = keys.current();
  const byKey = await Promise.all(
    sealedColumns.map(
      ({ table, column }) => sql<{ keyId: Buffer; count: number }[]>`
      select substring(${sql(column)} from 2 for 4) as key_id, count(*)::int as count
      from ${sql(table)} where ${sql(column)} is not null group by 1`,
    ),
  );
  return [...new Set(sealedColumns.map(({ table }) => table))].map((table) => {
    const counted = { table, current: 0, previous: 0, unknown: 0 };
    const ofTable = byKey.filter((_, index) => sealedColumns[index]?.table === table).flat();
    for (const { keyId, count } of ofTable) {
      if (keyId.equals(current.id)) counted.current += count;
      else if (keys.find(keyId)) counted.previous += count;
      else counted.unknown += count;
    }
    return counted;
  });
};

/** Of each column the first `size` values and the last, without those of what was deleted. */
export const sampleSealed = async (sql: Sql, size: number): Promise<SealedRow[]> => {
  const samples = await Promise.all(
    sealedColumns.map((sealed) => {
      const { table, column, account, row } = sealed;
      const end = (order: postgres.Fragment) => sql`
        (select ${sql(account)} as account_id, ${sql(row)}::text as row_id, ${sql(column)} as sealed from ${sql(table)}
        where ${isInUse(sql, sealed)} order by ${sql(account)} ${order}, ${sql(row)} ${order} limit ${size})`;
      return sql<SealedRow[]>`${end(sql`asc`)} union ${end(sql`desc`)}`;
    }),
  );
  return samples.flat();
};

/**
 * A secret that deliveries are signed with and that none of `keys` opens; undefined when there is none. It reads all of them,
 * for one account or webhook that was made under another key is enough: with a million webhooks about a second.
 */
export const findUnopenable = async (
  sql: Sql,
  keys: MasterKeys,
): Promise<{ table: Table; rowId: string; keyId: Buffer } | undefined> => {
  const opening = [keys.current().id];
  for (;;) {
    const found = await findSealedOtherwise(sql, opening);
    if (!found || !keys.find(found.keyId)) return found;
    opening.push(found.keyId);
  }
};

const findSealedOtherwise = async (sql: Sql, keyIds: readonly Buffer[]) => {
  for (const sealed of sealedColumns.filter(({ signs }) => signs)) {
    const { table, column, row } = sealed;
    const [found] = await sql<{ rowId: string; keyId: Buffer }[]>`
      select ${sql(row)} as row_id, substring(${sql(column)} from 2 for 4) as key_id from ${sql(table)}
      where ${isInUse(sql, sealed)} and substring(${sql(column)} from 2 for 4) not in ${sql(keyIds)} limit 1`;
    if (found) return { table, ...found };
  }
  return undefined;
};

const isInUse = (sql: Sql, { column, deletable }: SealedColumn) =>
  sql`${sql(column)} is not null ${deletable ? sql`and deleted_at is null` : sql``}`;

/** What became of the values that were sealed with another key. */
export type Replaced = { count: number; failed: SealedPlace[] };

/**
 * Goes once through the values sealed with another key than `keyId`, a batch at a time, and puts what `reseal` makes of each
 * in its place; undefined leaves it, and one that `reseal` throws at has failed and is left, too. A value that was changed
 * meanwhile stays as it was changed. Each row is a statement of its own: locks on several could deadlock with a request's.
 */
export const replaceSealed = async (
  sql: Sql,
  { keyId, batchSize }: { keyId: Uint8Array; batchSize: number },
  reseal: (row: SealedRow) => Buffer | undefined,
): Promise<Replaced> => {
  const replaced: Replaced = { count: 0, failed: [] };
  for (const column of sealedColumns) {
    const replace = async (row: SealedRow): Promise<number> => {
      let replacement: Buffer | undefined;
      try {
        replacement = reseal(row);
      } catch {
        // One value that was damaged must not keep the others from being replaced.
        replaced.failed.push({ table: column.table, accountId: row.accountId, rowId: row.rowId });
      }
      return replacement === undefined ? 0 : replaceOne(sql, column, row, replacement);
    };
    let after: SealedRow | undefined;
    for (;;) {
      const batch = await listSealed(sql, column, { keyId, batchSize, after });
      const counts = await Promise.all(batch.map(replace));
      replaced.count += counts.reduce((sum, count) => sum + count, 0);
      after = batch.at(-1);
      if (batch.length < batchSize) break;
    }
  }
  return replaced;
};

const listSealed = (
  sql: Sql,
  { table, column, account, row }: SealedColumn,
  { keyId, batchSize, after }: { keyId: Uint8Array; batchSize: number; after: SealedRow | undefined },
): Promise<SealedRow[]> => sql<SealedRow[]>`
  select ${sql(account)} as account_id, ${sql(row)} as row_id, ${sql(column)} as sealed from ${sql(table)}
  where substring(${sql(column)} from 2 for 4) <> ${keyId}
    ${after === undefined ? sql`` : sql`and (${sql(account)}, ${sql(row)}) > (${after.accountId}, ${after.rowId})`}
  order by ${sql(account)}, ${sql(row)} limit ${batchSize}`;

const replaceOne = async (
  sql: Sql,
  { table, column, account, row }: SealedColumn,
  { accountId, rowId, sealed }: SealedRow,
  replacement: Buffer,
): Promise<number> => {
  const { count } = await sql`
    update ${sql(table)} set ${sql(column)} = ${replacement}
    where ${sql(account)} = ${accountId} and ${sql(row)} = ${rowId} and ${sql(column)} = ${sealed}`;
  return count;
};
