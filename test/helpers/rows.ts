import type { Sql } from '../../src/shared/platform/db/connect.ts';

/** How many rows each table has. */
export const countRows = async (sql: Sql): Promise<Record<string, number>> => {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`;
  const counts = tables.map(({ name }) => sql`select ${name} as name, count(*)::int as rows from ${sql(name)}`);
  const union = counts.reduce((all, one) => sql`${all} union all ${one}`);
  const rows = await sql<{ name: string; rows: number }[]>`${union}`;
  return Object.fromEntries(rows.map(({ name, rows: count }) => [name, count]));
};
