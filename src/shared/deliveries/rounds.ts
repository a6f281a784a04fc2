import { retryGraceSeconds } from './ladder.ts';
import { among, inRangeOf } from '../platform/db/among.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { DeliveryStatus, RoundProgress } from './types.ts';

/** `deliveryId` is the UUID. */
export type Round = { deliveryId: string; round: number };

/** Reads the round that a workflow takes over, and keeps the sweep off until its next attempt is overdue. Undefined when retention has removed it. */
export const takeOverRound = async (sql: Sql, { deliveryId, round }: Round): Promise<RoundProgress | undefined> => {
  const [row] = await sql<RoundProgress[]>`
    with carried as (
      update deliveries set sweep_at = greatest(sweep_at, coalesce(next_attempt_at, clock_timestamp()) + make_interval(secs => ${retryGraceSeconds}))
      where id = ${deliveryId} and round = ${round} and in_progress)
    select status, attempts_made, in_progress and round = ${round} as in_progress,
      (select count(*)::int from attempts a where a.delivery_id = d.id and a.round = d.round and a.kind = 'manual') as manual_attempts_made,
      (select json_strip_nulls(json_build_object(
          'outcome', a.outcome, 'reason', a.reason, 'statusCode', a.status_code, 'durationMs', a.duration_ms))
        from attempts a where a.delivery_id = d.id and a.round = d.round and a.kind <> 'check' order by a.started_at desc limit 1) as last,
      ${dueInMs(sql)} as due_in_ms
    from deliveries d where id = ${deliveryId}`;
  return row && { ...row, dueInMs: row.dueInMs ?? 0 };
};

/** SQL: the time until the next attempt, in ms; 0 when it is due, null without one. */
export const dueInMs = (sql: Sql) =>
  sql`case when next_attempt_at is not null then greatest(0, ceil(1000 * extract(epoch from next_attempt_at - clock_timestamp())))::float8 end`;

/** Makes deliveries overdue, and hands them to `sender` when given. Safe at any time, because the sweep starts nothing where a workflow runs. */
export const sweepSoon = (sql: Sql, ids: readonly string[], { sender }: { sender?: string } = {}) => sql`
  with found as materialized (select id from deliveries where ${among(sql, sql`id`, ids)} order by id for no key update)
  update deliveries set sweep_at = least(sweep_at, clock_timestamp()), sender = coalesce(${sender ?? null}::uuid, sender)
  where id = any(array(select id from found)) and ${inRangeOf(sql, sql`id`, ids)} and in_progress`;

/** Marks finished deliveries whose rounds get no workflow. */
export const markWithoutWorkflow = (sql: Sql, ids: readonly string[]) => sql`
  with found as materialized (select id from deliveries where ${among(sql, sql`id`, ids)} order by id for no key update)
  update deliveries set without_workflow = true
  where id = any(array(select id from found)) and ${inRangeOf(sql, sql`id`, ids)} and not in_progress`;

/** A round `counts` for metrics when this call has ended it and it is no test event. */
export type RoundEnd = { status: DeliveryStatus; counts: boolean; accountId: string | undefined };

/** Ends a round in progress; one that is over stays as it ended. A delivery that has succeeded once stays delivered. */
export const endRound = async (sql: Sql, { deliveryId, round }: Round, status: DeliveryStatus): Promise<RoundEnd> => {
  const [ended] = await sql<RoundEnd[]>`
    update deliveries set
      status = case when succeeded_at is null then ${status} else 'delivered' end,
      finished_at = case when ${status} = 'parked' and succeeded_at is null then null else clock_timestamp() end,
      parked_at = case when ${status} = 'parked' then clock_timestamp() else parked_at end,
      next_attempt_at = null, sweep_at = null
    where id = ${deliveryId} and round = ${round} and in_progress
    returning account_id, status, not is_test as counts`;
  if (ended) return ended;
  const [row] = await sql<{ accountId: string; status: DeliveryStatus }[]>`
    select account_id, status from deliveries where id = ${deliveryId}`;
  return { status: row?.status ?? 'cancelled', counts: false, accountId: row?.accountId };
};
