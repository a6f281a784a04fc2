import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of files that take a day, or a process that is killed.

/** An account's files came so many hours ago. */
export const ageMedia = async (sql: Sql, accountId: string, hours: number): Promise<void> => {
  await sql`update media set created_at = created_at - make_interval(hours => ${hours}) where account_id = ${accountId}`;
};
