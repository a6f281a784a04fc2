import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// ---- What no writer makes, and why tests need it.

/** Time passes for the requests of a run: they were sent so much earlier, and what it waits for comes so much sooner. */
export const ageCalls = async (sql: Sql, runId: string, { seconds }: { seconds: number }): Promise<void> => {
  const ago = sql`make_interval(secs => ${seconds})`;
  await sql`update requests set sent_at = sent_at - ${ago} where run_id = ${runId}`;
  await sql`update runs set wake_at = wake_at - ${ago} where id = ${runId}`;
};

/** A run that has made so many calls before: hundreds would have to be answered one by one. */
export const insertPastRequests = async (
  sql: Sql,
  { accountId, runId, count }: { accountId: string; runId: string; count: number },
): Promise<void> => {
  await sql`
    insert into requests (account_id, run_id, step, block_id, try, state, timeout_ms, idempotency_key, method, url)
    select ${accountId}, ${runId}, 0, 'past', 1, 'answered', 1000, '', 'GET', 'https://shop.example/'
    from generate_series(1, ${count})`;
};
