import { z } from 'zod';
import type postgres from 'postgres';
import type { Sql } from '../shared/platform/db/connect.ts';

/** The rows of a list are counted up to this many, which means that many or more: nobody waits for a longer count. */
export const countedAtMost = 10_001;

/** How many rows a list has. */
export const countBody = z
  .object({
    count: z.int().meta({ description: 'Counted as far as 10,000.' }),
    more: z.boolean().meta({ description: 'Whether there are more than `count`.' }),
  })
  .meta({ id: 'Count' });

/** Counts the rows of the statement of a list, which ends at `countedAtMost` rows by itself. PostgreSQL leaves out columns that nobody reads. */
export const countRows = async (sql: Sql, rows: postgres.Fragment): Promise<z.infer<typeof countBody>> => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from (${rows}) as listed`;
  const counted = row?.count ?? 0;
  return { count: Math.min(counted, countedAtMost - 1), more: counted >= countedAtMost };
};

/** What all operations that count a list say of themselves. */
export const countOf = (rows: string) =>
  ({
    method: 'get',
    summary: `Count ${rows}`,
    description: 'By the filters of the list, as far as 10,000.',
    role: 'agent',
    answers: { 200: countBody },
  }) as const;
