import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// ---- What no writer makes, and why tests need it.

/** Time passes for every origin that fails. */
export const ageBreakers = async (sql: Sql, { seconds }: { seconds: number }): Promise<void> => {
  const ago = sql`make_interval(secs => ${seconds})`;
  await sql`
    update origin_breakers set failed_at = failed_at - ${ago}, opened_at = opened_at - ${ago}, retry_at = retry_at - ${ago}`;
};
