import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// ---- What no writer makes, and why tests need it.

/** Time passes for the access tokens of all credentials, and for who asks for them. */
export const ageTokens = async (sql: Sql, { seconds }: { seconds: number }): Promise<void> => {
  const ago = sql`make_interval(secs => ${seconds})`;
  await sql`
    update oauth2_clients set renewed_at = renewed_at - ${ago}, refresh_at = refresh_at - ${ago}, expires_at = expires_at - ${ago},
      rejected_at = rejected_at - ${ago}, leased_until = leased_until - ${ago}, failed_at = failed_at - ${ago}, retry_at = retry_at - ${ago}`;
};
