import type postgres from 'postgres';
import type { Database } from './connect.ts';

/** The advisory lock under which an installation builds one index at a time: two builds would wait for each other. */
const buildLock = 7_205_768;

/**
 * Runs `build` on a connection of its own, without a statement timeout, while nobody else builds. Answers what it answers, or 0 while another
 * process builds.
 */
export const buildingAlone = async (
  db: Database,
  build: (connection: postgres.ReservedSql) => Promise<number>,
): Promise<number> => {
  const connection = await db.reserve();
  try {
    const [lock] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${buildLock}) as taken`;
    if (!lock?.taken) return 0;
    try {
      await connection`set statement_timeout = 0`;
      return await build(connection);
    } finally {
      await connection`reset statement_timeout`;
      await connection`select pg_advisory_unlock(${buildLock})`;
    }
  } finally {
    connection.release();
  }
};

/** An index; `definition` is what follows the table's name in `create index`. */
type Index = { name: string; table: string; isUnique?: boolean; definition: string };

/** Builds an index while others read and write, unless it is there. It begins an interrupted build anew. `signal` cancels it; it then rejects. */
export const buildIndex = async (
  connection: postgres.ReservedSql,
  { name, table, isUnique = false, definition }: Index,
  signal: AbortSignal | undefined,
): Promise<void> => {
  if (await isBuilt(connection, name)) return;
  // An interrupted build has left an index that never becomes valid.
  await connection`drop index concurrently if exists ${connection(name)}`;
  const build = connection.unsafe(
    `create ${isUnique ? 'unique ' : ''}index concurrently "${name}" on "${table}" ${definition}`,
  );
  const cancel = (): void => build.cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  await build.finally(() => signal?.removeEventListener('abort', cancel));
};

const isBuilt = async (connection: postgres.ReservedSql, name: string): Promise<boolean> => {
  const [found] = await connection<{ indisvalid: boolean }[]>`
    select indisvalid from pg_index where indexrelid = to_regclass(quote_ident(${name}))`;
  return found?.indisvalid ?? false;
};
