import { RequestError } from '../../errors.ts';
import { showId } from '../../ids.ts';
import type { Fragment, Sql } from '../../platform/db/connect.ts';

/** The most runs that one run causes in an hour of the clock, by itself or through others. */
const fanOutPerHour = 1_000;

/** A request of a run that would begin one run too many. It is counted after its transaction is undone (`countRefusedRun`). */
export class LoopGuardError extends RequestError {
  readonly originRunId: string;

  constructor(originRunId: string) {
    const id = showId('run', originRunId);
    super('conflict', `The run ${id} has caused too many other runs. They may be going round in circles.`);
    this.name = 'LoopGuardError';
    this.originRunId = originRunId;
  }
}

/** SQL: this hour of the clock. */
const thisHour = (sql: Sql): Fragment => sql`date_trunc('hour', clock_timestamp())`;

/**
 * SQL: counts the run of `entry` for the first run of its chain, and answers whether it `is_refused`. Runs of one chain that begin at the same time
 * wait for one another here, so that there are never more than the bound.
 */
export const countRun = (sql: Sql, originRunId: string): Fragment => {
  const isRefused = sql`(excluded.begun = 0 or (f.hour = excluded.hour and f.begun >= ${fanOutPerHour}))`;
  return sql`
    insert into run_fan_outs as f (origin_run_id, account_id, hour, begun, refused, refused_at)
    select ${originRunId}, account_id, ${thisHour(sql)}, (not is_full)::int, is_full::int,
      case when is_full then clock_timestamp() end
    from entry where not (is_full and is_stale)
    on conflict (origin_run_id) do update set hour = excluded.hour,
      begun = case when f.hour = excluded.hour then least(f.begun + excluded.begun, ${fanOutPerHour}) else excluded.begun end,
      refused = f.refused + ${isRefused}::int,
      refused_at = case when ${isRefused} then clock_timestamp() else f.refused_at end
    returning new.refused > coalesce(old.refused, 0) as is_refused`;
};

/** Counts a run that was not begun, for the first run of its chain. */
export const countRefusedRun = async (
  sql: Sql,
  { accountId, originRunId }: { accountId: string; originRunId: string },
) => {
  await sql`
    insert into run_fan_outs as f (origin_run_id, account_id, hour, begun, refused, refused_at)
    values (${originRunId}, ${accountId}, ${thisHour(sql)}, 0, 1, clock_timestamp())
    on conflict (origin_run_id) do update set refused = f.refused + 1, refused_at = excluded.refused_at`;
};
