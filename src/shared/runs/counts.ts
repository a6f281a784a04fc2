import type { Sql } from '../platform/db/connect.ts';
import { runsCap } from './schema.ts';

/** The most blocks that are told: a version has 500, and runs may still be in others. */
const countedBlocks = 1_000;

/** How many open runs are at a block now. */
export type BlockCount = {
  /** Null for those that have entered none yet. */
  blockId: string | null;
  running: number;
  waiting: number;
};

/**
 * How many open runs of a flow, of whichever version, are at each block where there are some; by the ids of the blocks. It goes from block to
 * block in the index of open runs by flow and block, and reads no more of each than it counts.
 */
export const countOpenRuns = (sql: Sql, flowId: string): Promise<BlockCount[]> => sql<BlockCount[]>`
  with recursive entered as (
    (select block_id from runs where flow_id = ${flowId} and ended_at is null and block_id is not null order by block_id limit 1)
    union all
    select (select r.block_id from runs r
      where r.flow_id = ${flowId} and r.ended_at is null and r.block_id > entered.block_id order by r.block_id limit 1)
    from entered where entered.block_id is not null
  ), blocks as (
    select block_id from entered where block_id is not null limit ${countedBlocks}
  )
  select null as block_id, ${byStatus(sql)}
  from (select status from runs where flow_id = ${flowId} and ended_at is null and block_id is null
    order by id limit ${runsCap}) as here
  having count(*) > 0
  union all
  select blocks.block_id, counted.running, counted.waiting from blocks, lateral (
    select ${byStatus(sql)}
    from (select status from runs where flow_id = ${flowId} and ended_at is null and block_id = blocks.block_id
      order by id limit ${runsCap}) as here) as counted`;

const byStatus = (sql: Sql) => sql`
  (count(*) filter (where status = 'running'))::int as running, (count(*) filter (where status = 'waiting'))::int as waiting`;
