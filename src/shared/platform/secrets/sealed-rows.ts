import type postgres from 'postgres';
import type { Sql } from '../db/connect.ts';
import { showId, type Noun } from '../../ids.ts';
import type { MasterKeys, Secrets } from './seal.ts';

const ofClient = { account: 'account_id', row: 'credential_id', signs: false, deletable: false } as const;

/**
 * Every column that holds sealed values, and the columns of the place that each value is bound to. Columns with `signs` sign deliveries, so a
 * process that cannot open them must not start.
 */
const sealedColumns = [
  { table: 'idempotency_keys', column: 'answer', account: 'account_id', row: 'key', signs: false, deletable: false },
  { table: 'webhooks', column: 'secret', account: 'account_id', row: 'id', signs: true, deletable: true },
  { table: 'accounts', column: 'webhook_secret', account: 'id', row: 'id', signs: true, deletable: false },
  { table: 'credentials', column: 'secret', account: 'account_id', row: 'id', signs: false, deletable: false },
  { table: 'oauth2_clients', column: 'client_secret', ...ofClient },
  { table: 'oauth2_clients', column: 'refresh_token', ...ofClient },
  { table: 'oauth2_clients', column: 'access_token', ...ofClient },
  { table: 'channels', column: 'secret', account: 'account_id', row: 'id', signs: true, deletable: false },
  // These sign as well, but a delivery is valid without them.
  { table: 'webhooks', column: 'previous_secret', account: 'account_id', row: 'id', signs: false, deletable: true },
  { table: 'accounts', column: 'previous_webhook_secret', account: 'id', row: 'id', signs: false, deletable: false },
  { table: 'channels', column: 'previous_secret', account: 'account_id', row: 'id', signs: false, deletable: false },
] as const;

type SealedColumn = (typeof sealedColumns)[number];
type Table = SealedColumn['table'];

/** A sealed value and where it is. */
export type SealedRow = { accountId: string; rowId: string; sealed: Buffer };

/** The place of a sealed value, without the value. */
export type SealedPlace = { table: Table; accountId: string; rowId: string };

const nouns: Readonly<Partial<Record<Table, Noun>>> = {
  accounts: 'account',
  channels: 'channel',
  credentials: 'credential',
  oauth2_clients: 'credential',
  webhooks: 'webhook',
};

/** The TypeID of the row; for a kept answer its idempotency key. */
export const showRow = ({ table, rowId }: Pick<SealedPlace, 'table' | 'rowId'>): string => {
  const noun = nouns[table];
  return noun === undefined ? rowId : showId(noun, rowId);
};

/** How many values of a table were sealed with the current key, with another given key, and with a key that is not given. */
export type SealedCount = { table: Table; current: number; previous: number; unknown: number };

/** Counts the values by the key that they name. */
export const countSealed = async (sql: Sql, keys: MasterKeys): Promise<SealedCount[]> => {
  const current = keys.current();
  const uses = await listKeyUses(sql, sealedColumns);
  return [...new Set(sealedColumns.map(({ table }) => table))].map((table) => {
    const counted = { table, current: 0, previous: 0, unknown: 0 };
    for (const { keyId, count } of uses.filter((use) => use.table === table)) {
      if (keyId.equals(current.id)) counted.current += count;
      else if (keys.find(keyId)) counted.previous += count;
      else counted.unknown += count;
    }
    return counted;
  });
};

/**
 * A signing secret that none of `keys` opens, or undefined. It reads all of them, because a single account or webhook may have another key. With
 * a million webhooks that takes about a second.
 */
export const findUnopenable = async (
  sql: Sql,
  keys: MasterKeys,
): Promise<{ table: Table; rowId: string; keyId: Buffer } | undefined> => {
  const signing = sealedColumns.filter(({ signs }) => signs);
  for (const { table, rowId, keyId } of await listKeyUses(sql, signing)) {
    if (rowId !== null && !keys.find(keyId)) return { table, rowId, keyId };
  }
  return undefined;
};

/** How many values of a column were sealed with which key; `rowId` is one of those in use, null where all were deleted. */
type KeyUse = { table: Table; keyId: Buffer; count: number; rowId: string | null };

const listKeyUses = async (sql: Sql, columns: readonly SealedColumn[]): Promise<KeyUse[]> => {
  const uses = await Promise.all(
    columns.map(
      (sealed) => sql<KeyUse[]>`
        select ${sealed.table} as table, substring(${sql(sealed.column)} from 2 for 4) as key_id, count(*)::int as count,
          any_value(${sql(sealed.row)}::text) filter (where ${isInUse(sql, sealed)}) as row_id
        from ${sql(sealed.table)} where ${sql(sealed.column)} is not null group by key_id`,
    ),
  );
  return uses.flat();
};

/** The first and the last `size` values of each column, without those of deleted rows. */
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

const isInUse = (sql: Sql, { column, deletable }: SealedColumn) =>
  sql`${sql(column)} is not null ${deletable ? sql`and deleted_at is null` : sql``}`;

/** How many values were sealed anew, and the places of those that do not open with the key that they name. */
export type Resealed = { count: number; failed: SealedPlace[] };

const batchSize = 500;

/**
 * Goes once through the values that were sealed with another key than the current one, and seals them anew. A value that no key opens, or that
 * was changed meanwhile, stays. Each row is a statement of its own, because locks on several rows could deadlock with those of a request.
 */
export const resealOnce = async (sql: Sql, secrets: Secrets): Promise<Resealed> => {
  const keyId = secrets.keys.current().id;
  const resealed: Resealed = { count: 0, failed: [] };
  for (const column of sealedColumns) {
    const reseal = async ({ accountId, rowId, sealed }: SealedRow): Promise<void> => {
      if (!secrets.keys.find(sealed.subarray(1, 5))) return;
      let replacement: Buffer;
      try {
        replacement = secrets.seal(secrets.open(sealed, { accountId, rowId }), { accountId, rowId });
      } catch {
        // A damaged value must not keep the others from being sealed anew.
        resealed.failed.push({ table: column.table, accountId, rowId });
        return;
      }
      const count = await replaceOne(sql, column, { accountId, rowId, sealed }, replacement);
      resealed.count += count;
    };
    for await (const batch of listOtherwiseSealed(sql, column, keyId)) await Promise.all(batch.map(reseal));
  }
  return resealed;
};

/** The values of a column sealed with another key than `keyId`, in batches. */
async function* listOtherwiseSealed(
  sql: Sql,
  { table, column, account, row }: SealedColumn,
  keyId: Buffer,
): AsyncGenerator<SealedRow[]> {
  let after: SealedRow | undefined;
  do {
    const batch: SealedRow[] = await sql<SealedRow[]>`
      select ${sql(account)} as account_id, ${sql(row)} as row_id, ${sql(column)} as sealed from ${sql(table)}
      where substring(${sql(column)} from 2 for 4) <> ${keyId}
        ${after === undefined ? sql`` : sql`and (${sql(account)}, ${sql(row)}) > (${after.accountId}, ${after.rowId})`}
      order by ${sql(account)}, ${sql(row)} limit ${batchSize}`;
    yield batch;
    after = batch.at(-1);
  } while (after !== undefined);
}

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
