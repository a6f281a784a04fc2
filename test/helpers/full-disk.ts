import type { Database } from '../../src/shared/platform/db/connect.ts';

/** Tables that refuse new rows as on a full disk. */
export type FullDisk = {
  /** From now on these tables refuse them, and no others. It locks no table. */
  refuse: (...tables: string[]) => Promise<void>;
  remove: () => Promise<void>;
};

/** PostgreSQL broke a deadlock at this statement's cost. */
const isDeadlock = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '40P01';

/**
 * Creates the triggers for it, which let every row through at first. To create or to drop a trigger locks its table with all weeks, and may deadlock
 * with what is under way, such as a sweep: it is done without load, one table after the other, and again where that happens. Under load only
 * the function changes.
 */
export const createFullDisk = async (db: Database, tables: readonly string[]): Promise<FullDisk> => {
  const refuse = async (...full: string[]): Promise<void> => {
    await db.unsafe(`
      create or replace function disk_full() returns trigger language plpgsql as $$
      begin
        if tg_argv[0] = any('{${full.join()}}') then
          raise exception 'could not extend file: No space left on device' using errcode = '53100';
        end if;
        return new;
      end $$`);
  };
  const untilDone = async (statement: string): Promise<void> => {
    for (;;) {
      try {
        await db.unsafe(statement);
        return;
      } catch (error) {
        if (!isDeadlock(error)) throw error;
      }
    }
  };
  await refuse();
  for (const table of tables)
    await untilDone(
      `create trigger disk_full before insert on ${table} for each row execute function disk_full('${table}')`,
    );
  return {
    refuse,
    remove: async () => {
      for (const table of tables) await untilDone(`drop trigger disk_full on ${table}`);
      await db`drop function disk_full()`;
    },
  };
};
