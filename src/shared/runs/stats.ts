import type { Sql } from '../platform/db/connect.ts';
import type { RunStatus } from './engine/run-state.ts';

/** The most runs that are counted: the latest. */
const countedRuns = 20_000;

/** How contacts went through one block. */
type BlockStats = {
  blockId: string;
  entered: number;
  /** Runs that are at it now. */
  here: number;
  /** How often each port was taken. */
  passed: Record<string, number>;
  /** Runs that have failed at it. */
  failed: number;
  /** From entering to leaving it, in ms; null while nobody has left it. */
  medianMs: number | null;
};

/** How many runs are counted, how many of them have each status, and how they went through the blocks. */
type Stats = { runs: number; statuses: Record<RunStatus, number>; blocks: BlockStats[] };

type Asked = { accountId: string; flowId: string; since: Date };

/**
 * How the runs of a flow that began at `since` or later went through its blocks: of the latest 20,000 of them. The blocks come in the order of
 * the version in force, and then those that it has no more.
 */
export const readStats = async (sql: Sql, { accountId, flowId, since }: Asked): Promise<Stats> => {
  const [row] = await sql<[Stats]>`
    with counted as materialized (
      select id, block_id, step, status, ended_at from runs
      where account_id = ${accountId} and flow_id = ${flowId} and id >= uuid_from_time(${since}) and started_at >= ${since}
      order by id desc limit ${countedRuns}
    ), visits as (
      select s.block_id, s.port, s.left_at - s.entered_at as took, s.number = c.step as is_last, c.status, c.ended_at
      from counted c join run_steps s on s.run_id = c.id
    ), ports as (
      select block_id, jsonb_object_agg(port, times) as passed
      from (select block_id, port, count(*)::int as times from visits where port is not null group by block_id, port) by_port
      group by block_id
    ), places as (
      select b.value ->> 'id' as block_id, b.place
      from flows f join flow_versions v on v.flow_id = f.id and v.version = f.version,
        jsonb_array_elements(v.definition -> 'blocks') with ordinality as b (value, place)
      where f.account_id = ${accountId} and f.id = ${flowId}
    )
    select (select count(*)::int from counted) as runs,
      (select json_build_object('running', count(*) filter (where status = 'running'), 'waiting', count(*) filter (where status = 'waiting'),
        'completed', count(*) filter (where status = 'completed'), 'failed', count(*) filter (where status = 'failed'),
        'cancelled', count(*) filter (where status = 'cancelled')) from counted) as statuses, coalesce((
      select json_agg(json_build_object('blockId', block_id, 'entered', entered, 'here', here, 'passed', coalesce(passed, '{}'),
        'failed', failed, 'medianMs', median) order by place, block_id)
      from (
        select block_id, count(*)::int as entered, count(*) filter (where is_last and ended_at is null)::int as here,
          count(*) filter (where is_last and status = 'failed')::int as failed,
          round(extract(epoch from percentile_cont(0.5) within group (order by took)) * 1000)::float8 as median
        from visits group by block_id) of_block
      left join ports using (block_id) left join places using (block_id)), '[]') as blocks`;
  return row;
};
