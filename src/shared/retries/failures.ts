import type { Sql } from '../platform/db/connect.ts';

/** The most failed runs that are counted: the latest. */
const countedFailures = 20_000;

/** The most kinds of failures that are told: the most frequent ones. */
const kindsAtMost = 100;

/** The runs of a flow that have failed at a block for one reason on one version. */
export type FailureRow = {
  blockId: string;
  reason: string | null;
  flowVersion: number;
  runs: number;
  lastFailedAt: Date;
  /** Whether the live version has this block, with the same type. */
  isInLiveVersion: boolean;
};

type Key = { accountId: string; flowId: string };

/** How the latest failed runs of a flow have failed, the most frequent first. A run that was never begun is not among them. */
export const listFailures = async (
  sql: Sql,
  { accountId, flowId }: Key,
): Promise<{ counted: number; failures: FailureRow[] }> => {
  const rows = await sql<(FailureRow & { counted: number })[]>`
    with failed as materialized (
      select block_id, reason, version, ended_at from runs
      where account_id = ${accountId} and status = 'failed' and flow_id = ${flowId} and step > 0 and block_id is not null
      order by id desc limit ${countedFailures}
    ), kinds as materialized (
      select block_id, reason, version, count(*)::int as runs, max(ended_at) as last_failed_at from failed
      group by block_id, reason, version order by runs desc, last_failed_at desc limit ${kindsAtMost}
    ), types as materialized (
      select v.version, block ->> 'id' as block_id, block ->> 'type' as type, v.version = f.version as is_live
      from flows f join flow_versions v on v.flow_id = f.id, jsonb_array_elements(v.definition -> 'blocks') as block
      where f.id = ${flowId} and (v.version = f.version or v.version in (select version from kinds))
        and block ->> 'id' in (select block_id from kinds)
    )
    select block_id, reason, version as flow_version, runs, last_failed_at, (select count(*)::int from failed) as counted,
      exists (
        select from types old join types live using (block_id, type)
        where old.block_id = kinds.block_id and old.version = kinds.version and live.is_live) as is_in_live_version
    from kinds order by runs desc, last_failed_at desc`;
  return { counted: rows[0]?.counted ?? 0, failures: rows };
};
