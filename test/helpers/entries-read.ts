import type { Database } from '../../src/shared/platform/db/connect.ts';

/** The entries of each table and its indexes that this connection, of which there is one, has read so far, those of all weeks of a log together. */
export const entriesRead = async (db: Database): Promise<ReadonlyMap<string, number>> => {
  await db`select pg_stat_force_next_flush()`;
  const rows = await db<{ name: string; entries: number }[]>`
    select regexp_replace(t.relname, '_(default|[0-9]{8})$', '') as name,
      sum(t.seq_tup_read + coalesce((select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid), 0))::float8 as entries
    from pg_stat_user_tables t group by 1`;
  return new Map(rows.map(({ name, entries }) => [name, entries]));
};

/** The tables of which more than `most` was read between two looks, and how much. */
export const readSince = (
  before: ReadonlyMap<string, number>,
  after: ReadonlyMap<string, number>,
  most: number,
): string[] =>
  [...after].flatMap(([name, entries]) => {
    const read = entries - (before.get(name) ?? 0);
    return read > most ? `${read} of ${name}` : [];
  });
