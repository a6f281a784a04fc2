import type { Fragment, Sql } from '../../platform/db/connect.ts';

// What numbers of blocks are made of. The transaction that moves a run writes it, so that it is counted exactly once, or not at all.

/**
 * SQL: statements of a CTE that notes how steps of runs have moved. `stepped` names a CTE with `run_id, block_id, port, reason, entered_at, left_at,
 * is_new, is_done`, of which the last two tell what has changed. `outcome` is SQL for how a step was left.
 */
export const noteMoves = (sql: Sql, stepped: Fragment, { outcome, port }: { outcome: Fragment; port: Fragment }) => sql`
  insert into block_moves (flow_id, account_id, version, block_id, is_entry, outcome, port, took_ms)
  select r.flow_id, r.account_id, r.version, s.block_id, s.is_new, case when s.is_done then ${outcome} end,
    case when s.is_done then ${port} end,
    case when s.is_done then greatest(0, extract(epoch from s.left_at - s.entered_at) * 1000)::bigint end
  from ${stepped} s join runs r on r.id = s.run_id
  where s.is_new or s.is_done`;
