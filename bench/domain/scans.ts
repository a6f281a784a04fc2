import { connectDatabase, type DatabaseTarget } from '../../src/shared/platform/db/connect.ts';

/** How often statements have read each large table from its first row to its last. */
export type Scans = ReadonlyMap<string, number>;

/** Tables of fewer rows may be read through: that can be the fastest way. */
const largeRows = 50_000;

/** Reads the counts of PostgreSQL. A scan of the last second may still be missing. */
export const readScans = async (database: DatabaseTarget): Promise<Scans> => {
  const sql = connectDatabase(database, { max: 1 });
  try {
    const rows = await sql<{ name: string; scans: number }[]>`
      select relname as name, seq_scan::float8 as scans from pg_stat_user_tables where n_live_tup >= ${largeRows}`;
    return new Map(rows.map(({ name, scans }) => [name, scans]));
  } finally {
    await sql.end();
  }
};

/** The large tables that were read through in between. */
export const scannedBetween = (before: Scans, after: Scans): string[] =>
  [...after].flatMap(([name, scans]) => (scans > (before.get(name) ?? scans) ? [name] : []));
