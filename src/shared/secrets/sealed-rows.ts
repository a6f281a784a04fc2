import type { Sql } from '../db/connect.ts';
import type { MasterKeys } from './seal.ts';

/**
 * Every column that holds sealed values, and the columns of the place that each value is bound to. Accounts are the last, in
 * the order of their ids: a process tries the latest account's secret at its start, so that one which was given the new key
 * alone too early refuses to start.
 */
const sealedColumns = [
  { table: 'idempotency_keys', column: 'answer', account: 'account_id', row: 'key' },
  { table: 'webhooks', column: 'secret', account: 'account_id', row: 'id' },
  { table: 'accounts', column: 'webhook_secret', account: 'id', row: 'id' },
] as const;

type SealedColumn = (typeof sealedColumns)[number];
type Table = SealedColumn['table'];

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
  return sealedColumns.map(({ table }, index) => {
    const counted = { table, current: 0, previous: 0, unknown: 0 };
    for (const { keyId, count } of byKey[index] ?? []) {
      if (keyId.equals(current.id)) counted.current += count;
      else if (keys.find(keyId)) counted.previous += count;
      else counted.unknown += count;
    }
    return counted;
  });
};

/** A sealed value and where it is. */
export type SealedRow = { accountId: string; rowId: string; sealed: Buffer };

/**
 * Goes once through the values sealed with another key than `keyId`, a batch at a time, and puts what `reseal` makes of each
 * in its place; undefined leaves it. A value that was changed meanwhile stays as it was changed. Answers how many were
 * replaced. Each row is a statement of its own: locks on several could deadlock with a request's.
 */
export const replaceSealed = async (
  sql: Sql,
  { keyId, batchSize }: { keyId: Uint8Array; batchSize: number },
  reseal: (row: SealedRow) => Buffer | undefined,
): Promise<number> => {
  let replaced = 0;
  for (const column of sealedColumns) {
    let after: SealedRow | undefined;
    for (;;) {
      const batch = await listSealed(sql, column, { keyId, batchSize, after });
      const counts = await Promise.all(batch.map((row) => replaceOne(sql, column, row, reseal(row))));
      replaced += counts.reduce((sum, count) => sum + count, 0);
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
  replacement: Buffer | undefined,
): Promise<number> => {
  if (replacement === undefined) return 0;
  const { count } = await sql`
    update ${sql(table)} set ${sql(column)} = ${replacement}
    where ${sql(account)} = ${accountId} and ${sql(row)} = ${rowId} and ${sql(column)} = ${sealed}`;
  return count;
};
