import type postgres from 'postgres';
import { buildIndex, buildingAlone } from './build-index.ts';
import type { Database } from './connect.ts';
import { isInUse } from './in-use.ts';

/** The longest wait for a partition's lock, in ms. Readers and writers of the partition wait behind it. */
const lockTimeoutMs = 200;

type MissingPart = { partition: string; index: string; part: string; definition: string };

/**
 * Builds the indexes of the logs that `add_log_index` has left, partition by partition, while others read and write. A build waits for
 * transactions that are older than itself, for example a backup's. Answers how many it has built, 0 while another process builds. The
 * next call begins an interrupted build anew, and attaches a built index whose partition was in use. `signal` cancels the build
 * under way, which then rejects.
 */
export const completeLogIndexes = (db: Database, signal?: AbortSignal): Promise<number> =>
  buildingAlone(db, async (connection) => {
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
    let built = 0;
    for (const { partition, index, part, definition } of missing) {
      if (signal?.aborted) break;
      await buildIndex(connection, { name: part, table: partition, definition }, signal);
      if (await attach(connection, { index, part })) built += 1;
    }
    return built;
  });

/** Attaches a partition's index. False while a transaction that has read the partition is open. */
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
