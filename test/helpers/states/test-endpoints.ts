import type { Sql } from '../../../src/shared/platform/db/connect.ts';

/** Lets the test endpoint delay answers for longer than callers can ask for. */
export const liftDelayBound = async (sql: Sql): Promise<void> => {
  await sql`alter table test_endpoints drop constraint if exists test_endpoints_delay_ms_check`;
};
