import type { Sql } from '../../../src/shared/platform/db/connect.ts';

// States of an installation's processes and of its upgrade that no writer of the product makes, and why tests need them.

/** An installation of which no process has told anything. */
export const forgetProcesses = async (sql: Sql): Promise<void> => {
  await sql`delete from processes`;
};

/** Time passes: every process has told of itself so long ago, and was started before that. A killed one tells no more. */
export const ageProcesses = async (sql: Sql, { seconds }: { seconds: number }): Promise<void> => {
  const ago = sql`make_interval(secs => ${seconds})`;
  await sql`update processes set seen_at = seen_at - ${ago}, started_at = started_at - ${ago}`;
};

/** Processes that were started so long ago and tell of themselves still. */
export const startedBefore = async (sql: Sql, { hours }: { hours: number }): Promise<void> => {
  await sql`update processes set started_at = now() - make_interval(hours => ${hours})`;
};

/** An installation of another version: its accounts are older, and the migrations of this one were applied so many days ago. */
export const upgradedBefore = async (sql: Sql, { days }: { days: number }): Promise<void> => {
  await sql`update accounts set created_at = '2026-01-01'`;
  await sql`update migrations set applied_at = now() - make_interval(days => ${days})`;
};

/** A database that no version has migrated, as far as it says. */
export const forgetMigrations = async (sql: Sql): Promise<void> => {
  await sql`delete from migrations`;
};
