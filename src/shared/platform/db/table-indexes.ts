import { buildIndex, buildingAlone } from './build-index.ts';
import type { Database } from './connect.ts';

type Late = { name: string; table: string; isUnique: boolean; definition: string; replaces: string | null };

/**
 * Builds the indexes that `build_index` of the migrations has left, while others read and write, and drops those that they replace. Answers how
 * many it has built, 0 while another process builds. The next call begins an interrupted build anew. `signal` cancels the build under way,
 * which then rejects.
 */
export const completeTableIndexes = (db: Database, signal?: AbortSignal): Promise<number> =>
  buildingAlone(db, async (connection) => {
    const late = await connection<Late[]>`
      select name, on_table as "table", is_unique, definition, replaces from late_indexes order by name`;
    let built = 0;
    for (const { replaces, ...index } of late) {
      if (signal?.aborted) break;
      await buildIndex(connection, index, signal);
      if (replaces !== null) await connection`drop index concurrently if exists ${connection(replaces)}`;
      await connection`delete from late_indexes where name = ${index.name}`;
      built += 1;
    }
    return built;
  });
