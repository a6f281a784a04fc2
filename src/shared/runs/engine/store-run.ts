import type { Fragment, Sql } from '../../platform/db/connect.ts';
import type { Pass } from './pass.ts';
import type { RunState, StepState } from './run-state.ts';
import type { ReadSnapshot } from './snapshot-row.ts';
import { noteMoves } from '../analytics/moves.ts';
import { tellPassedOver, tellTaken } from '../tell-routed.ts';
import { startGraceSeconds } from '../work.ts';
import type { EventTransaction, Writer } from '../../facts/tell.ts';

/** Writes the steps, and which of them has taken what had arrived. */
export const storeSteps = async (tx: EventTransaction, { run, steps, taken }: Pass): Promise<void> => {
  const { sql } = tx;
  if (steps.length > 0) {
    const rows = steps.map((step) => stepRow(run.id, step));
    const outcome = sql`
      case when ${run.status === 'failed'} and s.number = ${run.step} then 'failed' when s.port is null then 'ended' else 'left' end`;
    tx.write(sql`
      with stepped as (
        insert into run_steps ${sql(rows)}
        on conflict (run_id, number) do update set status = excluded.status, port = excluded.port, reason = excluded.reason,
          tries = excluded.tries, entered_at = excluded.entered_at, left_at = excluded.left_at
        returning new.run_id, new.number, new.block_id, new.port, new.entered_at, new.left_at, old.run_id is null as is_new,
          new.status = 'done' and old.status is distinct from 'done' as is_done
      )
      ${noteMoves(sql, sql`stepped`, { outcome, port: sql`s.port` })}`);
  }
  if (taken.length > 0) {
    const inputs = await sql<{ kind: string; refId: string }[]>`
      update run_inputs i set taken_by_run = ${run.id}, taken_by_step = t.step
      from unnest(${taken.map(({ seq }) => seq)}::bigint[], ${taken.map(({ step }) => step)}::int[]) as t (seq, step)
      where i.run_id in (${run.id}, ${run.rootRunId}) and i.seq = t.seq returning i.kind, i.ref_id`;
    const replies = inputs.filter(({ kind }) => kind === 'reply');
    await tellTaken(
      tx,
      run.id,
      replies.map(({ refId }) => refId),
    );
  }
};

const stepRow = (
  runId: string,
  { number, blockId, visit, status, port, reason, tries, enteredAt, leftAt }: StepState,
) => ({
  run_id: runId,
  number,
  block_id: blockId,
  visit,
  status,
  port,
  reason,
  tries,
  entered_at: enteredAt,
  left_at: leftAt,
});

/**
 * Whether what the run waits by has changed since the snapshot was read. Whoever changes it meanwhile is waited for, or waits until this
 * transaction ends, and then finds the run that waits: it would be left behind otherwise.
 */
export const hasMovedOn = async (sql: Sql, { row, context }: ReadSnapshot, { waiting }: RunState): Promise<boolean> => {
  if (waiting === 'paused') {
    const [flow] = await sql<{ status: string }[]>`select status from flows where id = ${row.flowId} for share`;
    return flow?.status !== 'paused';
  }
  if (waiting !== 'delay' || context.contact.timeZone !== null) return false;
  const [account] = await sql<{ timeZone: string }[]>`
    select time_zone from accounts where id = ${row.accountId} for share`;
  return account?.timeZone !== context.account.timeZone;
};

/** Tells the messages that no step of the run's family takes any more: those before its question, and at its end all that are left. */
export const storePassedOver = async (
  tx: Writer,
  { inputs }: ReadSnapshot,
  { run, taken, next }: Pass,
): Promise<void> => {
  const isOver = next.type === 'over' && run.id === run.rootRunId;
  const upTo = isOver ? Infinity : run.afterSeq;
  const left = inputs.some(
    (input) => input.type === 'reply' && input.seq <= upTo && !taken.some(({ seq }) => seq === input.seq),
  );
  if (left) await tellPassedOver(tx, { rootRunIds: [run.rootRunId], upTo });
};

/** What the transaction of a pass asks for after its commit, because the run's workflow does not make it: its start, or a wake. */
export type Tells = 'start' | 'wake';

type RunToStore = Pass & { tells: Tells | undefined };

/** Writes where the run is. */
export const storeRun = ({ sql, write }: EventTransaction, stored: RunToStore): void => {
  const { run, context, next } = stored;
  const { reply, event } = context.run;
  const isOver = next.type === 'over';
  write(sql`
    update runs set status = ${run.status}, waiting = ${run.waiting}, step = ${run.step}, block_id = ${run.blockId},
      waiting_since = ${run.waitingSince}, wake_at = ${run.wakeAt}, left_ms = ${run.leftMs}, last_seq = ${run.lastSeq},
      after_seq = ${run.afterSeq}, event_seq = ${run.eventSeq}, steps_since_wait = ${run.stepsSinceWait},
      visits = ${sql.json(run.visits)}, reply = ${reply && sql.json(reply)},
      event = ${event === null ? null : sql.json(event)}, reason = ${run.reason}, woken = false, sweeps = 0,
      sweep_at = ${sweepAt(sql, stored)}, without_workflow = without_workflow or ${isOver && stored.tells === 'start' && run.status !== 'failed'},
      ended_at = ${isOver ? sql`clock_timestamp()` : sql`null`}
    where id = ${run.id}`);
};

/** When the sweep looks after the run. A workflow that knows nothing of the pass has to hear of it before; of an end, as after `endRuns`. */
const sweepAt = (sql: Sql, stored: RunToStore): Fragment => {
  const { tells, next, run } = stored;
  const startGrace = sql`clock_timestamp() + make_interval(secs => ${startGraceSeconds})`;
  if (next.type === 'over') {
    if (tells === 'wake') return sql`clock_timestamp() + interval '5 seconds'`;
    return tells === 'start' && run.status === 'failed' ? startGrace : sql`null`;
  }
  if (tells !== 'start') return sweepAfter(sql, stored);
  return sql`least(${sweepAfter(sql, stored)}, ${startGrace})`;
};

/** Later than the workflow should have looked, with room for a busy Temporal. */
const sweepAfter = (sql: Sql, { run: { status, waiting, wakeAt }, next }: RunToStore): Fragment => {
  if (status !== 'waiting' || next.type === 'more') return sql`clock_timestamp() + interval '30 seconds'`;
  // A request has a deadline of its own.
  if (waiting === 'call') return sql`clock_timestamp() + interval '4 minutes'`;
  return wakeAt === null ? sql`'infinity'::timestamptz` : sql`${wakeAt}::timestamptz + interval '30 seconds'`;
};
