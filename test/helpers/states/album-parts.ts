import type { Sql } from '../../../src/shared/platform/db/connect.ts';

/** Parts of albums of the account that came, were due and were recorded so much earlier. */
export const ageAlbumParts = async (
  sql: Sql,
  { accountId, seconds }: { accountId: string; seconds: number },
): Promise<void> => {
  const earlier = sql`make_interval(secs => ${seconds})`;
  await sql`
    update album_parts set arrived_at = arrived_at - ${earlier}, due_at = due_at - ${earlier}, recorded_at = recorded_at - ${earlier}
    where account_id = ${accountId}`;
};
