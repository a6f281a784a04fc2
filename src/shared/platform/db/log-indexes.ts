import type postgres from 'postgres';
import type { Database } from './connect.ts';
import { isInUse } from './in-use.ts';

/** One at a time in an installation: builds beside each other wait for one another. A number that no other lock has. */
const buildLock = 7_205_764;

/** Whoever reads or writes a partition waits behind the attaching of its index: so that waits no longer than this, in ms. */
const lockTimeoutMs = 200;

type MissingPart = { partition: string; index: string; part: string; definition: string };

/**
 * Builds what `add_log_index` has left of the logs' indexes, partition by partition, while everybody reads and writes. A build waits
 * for transactions that are older than it, a backup's for one. Answers how many it built: 0 also while another process is at
 * it. One that was interrupted is begun anew by the next call, and one that is built and finds its partition in use is left to it.
 * `signal` cancels the build under way, which then rejects.
 */
export const completeLogIndexes = async (db: Database, signal?: AbortSignal): Promise<number> => {
  const connection = await db.reserve();
  try {
    const [lock] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${buildLock}) as taken`;
    if (!lock?.taken) return 0;
    let built = 0;
    try {
      await connection`set statement_timeout = 0`;
      const missing = await connection<MissingPart[]>`
        select partition.relname as partition, whole.relname as index,
          log_index_part(partition.relname, whole.relname) as part,
          substring(pg_get_indexdef(whole.oid) from ' (USING .*)$') as definition
        from pg_index i
        join pg_class whole on whole.oid = i.indexrelid and whole.relkind = 'I'
        join pg_inherits p on p.inhparent = i.indrelid
        join pg_class partition on partition.oid = p.inhrelid
        where not i.indisvalid and not exists (
          select from pg_inherits there join pg_index part on part.indexrelid = there.inhrelid
          where there.inhparent = whole.oid and part.indrelid = partition.oid)
        order by partition.relname desc`;
      for (const { partition, index, part, definition } of missing) {
        if (signal?.aborted) break;
        if (!(await isBuilt(connection, part))) {
          // What an interrupted build has left is not valid and never will be.
          await connection`drop index concurrently if exists ${connection(part)}`;
          const build = connection.unsafe(`create index concurrently "${part}" on "${partition}" ${definition}`);
          const cancel = (): void => build.cancel();
          signal?.addEventListener('abort', cancel, { once: true });
          await build.finally(() => signal?.removeEventListener('abort', cancel));
        }
        if (await attach(connection, { index, part })) built += 1;
      }
    } finally {
      await connection`reset statement_timeout`;
      await connection`select pg_advisory_unlock(${buildLock})`;
    }
    return built;
  } finally {
    connection.release();
  }
};

const isBuilt = async (connection: postgres.ReservedSql, part: string): Promise<boolean> => {
  const [found] = await connection<{ indisvalid: boolean }[]>`
    select indisvalid from pg_index where indexrelid = to_regclass(quote_ident(${part}))`;
  return found?.indisvalid ?? false;
};

/** Makes it part of the whole index; false when a transaction that has read the partition is still open. */
const attach = async (
  connection: postgres.ReservedSql,
  { index, part }: Pick<MissingPart, 'index' | 'part'>,
): Promise<boolean> => {
  try {
    await connection`select set_config('lock_timeout', ${String(lockTimeoutMs)}, false)`;
    await connection`alter index ${connection(index)} attach partition ${connection(part)}`;
    return true;
  } catch (error) {
    if (isInUse(error)) return false;
    throw error;
  } finally {
    await connection`reset lock_timeout`;
  }
};
