import { found, RequestError } from '../../errors.ts';
import { lockContact } from '../../contacts/lock-contact.ts';
import { findBlockType } from '../../flows/find-block-type.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Transaction } from '../../platform/dispatch/transact.ts';
import { noteMoves } from '../analytics/moves.ts';
import { runColumns, runWork, startGraceSeconds, type RunWorkRow } from '../work.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransaction } from '../../facts/tell.ts';
import { lockFamily, requireRetryable, type FailedRun } from './family.ts';

/** A run of an account; ids are UUIDs. */
type RunId = { accountId: string; runId: string };

/**
 * Which version the run goes on on, its own when not given; and whether it does so also where its last request may have been carried out. That one
 * then keeps its Idempotency-Key. `blockTypeOf` may remember, because versions do not change.
 */
type RetryOptions = { version?: number; evenUnknown?: boolean; blockTypeOf?: typeof findBlockType };

/**
 * Has a failed run go on at the block where it failed, as a new visit of it: a request then has a new Idempotency-Key. The runs that have started it
 * failed with it, and wait for it again. Throws 404; 409 for a run that has not failed, whose flow is paused or archived, whose contact is in the
 * flow again by another run, whose request may have been carried out, whose parent does not wait for it any more, and where the version does not
 * have this block. Nothing is written then.
 */
export const retryRun = async (
  tx: EventTransaction,
  { accountId, runId }: RunId,
  { version, evenUnknown = false, blockTypeOf = findBlockType }: RetryOptions = {},
): Promise<void> => {
  const { sql } = tx;
  const [known] = await sql<{ contactId: string }[]>`
    select contact_id from runs where id = ${runId} and account_id = ${accountId}`;
  const { contactId } = found('run', known);
  await lockContact(sql, { accountId, contactId });
  const [run, ...parents] = await lockFamily(sql, runId, version);
  if (!run) throw new Error('the run was locked, and is not there');
  requireRetryable([run, ...parents], { evenUnknown });
  if (version !== undefined && version !== run.version) await moveRun(sql, run, { to: version, blockTypeOf });
  let child = run;
  for (const parent of parents) {
    await waitAgain(tx, parent, child);
    child = parent;
  }
  await reopen(tx, run);
  await tx.tell(changed(accountId, 'runs'));
};

/** Moves a run to another version of its flow, which has the block where it failed. */
const moveRun = async (
  sql: Sql,
  { id, flowId, version: from, step, blockId }: FailedRun,
  { to, blockTypeOf }: { to: number; blockTypeOf: typeof findBlockType },
): Promise<void> => {
  const [before, after] = [
    await blockTypeOf(sql, { flowId, version: from, blockId }),
    await blockTypeOf(sql, { flowId, version: to, blockId }),
  ];
  if (after === undefined) throw new RequestError('conflict', `Version ${to} has no block ${blockId}.`);
  if (before !== after)
    throw new RequestError('conflict', `In version ${to}, ${blockId} is a block of type ${after}, not ${before}.`);
  await sql`
    with moved as (
      update runs set version = v.version, listens = v.listens, one_active = v.one_active
      from flow_versions v where runs.id = ${id} and v.flow_id = ${flowId} and v.version = ${to} returning runs.id
    )
    insert into run_moves (run_id, step, from_version, to_version) select id, ${step + 1}, ${from}, ${to} from moved`;
};

/** SQL: the columns of a new step, for the notes of moves. */
const steppedColumns = (sql: Sql) => sql`
  run_id, number, block_id, visit, entered_at, left_at, true as is_new, false as is_done`;

/** SQL: a run is open again, in a workflow of its own. */
const openAgain = (sql: Sql) => sql`
  reason = null, ended_at = null, resumes = resumes + 1, woken = false, sweeps = 0, steps_since_wait = 0,
  sweep_at = clock_timestamp() + make_interval(secs => ${startGraceSeconds})`;

/** The block is entered once more, as the next step. A request that may have been carried out keeps its visit, and so its Idempotency-Key. */
const reopen = async (tx: Transaction, { id, reason }: FailedRun): Promise<void> => {
  const { sql } = tx;
  const more = reason === 'outcome_unknown' ? 0 : 1;
  const [row] = await sql<RunWorkRow[]>`
    with next as (
      insert into run_steps (run_id, number, block_id, visit, status)
      select r.id, r.step + 1, s.block_id, coalesce((r.visits ->> s.block_id)::int, 1 - ${more}) + ${more}, 'pending'
      from runs r join run_steps s on s.run_id = r.id and s.number = r.step where r.id = ${id}
      returning ${steppedColumns(sql)}
    ), noted as (
      ${noteMoves(sql, sql`next`, { outcome: sql`null`, port: sql`null` })}
    )
    update runs set status = 'running', ${openAgain(sql)}, step = next.number, block_id = next.block_id,
      visits = visits || jsonb_build_object(next.block_id, next.visit)
    from next where runs.id = ${id}
    returning ${runColumns(sql)}`;
  if (row) tx.start(runWork, row);
};

/** A run that failed because its child has failed waits for that child again, as a new visit of the same block. */
const waitAgain = async (tx: Transaction, { id }: FailedRun, child: FailedRun): Promise<void> => {
  const { sql } = tx;
  const [row] = await sql<RunWorkRow[]>`
    with next as (
      insert into run_steps (run_id, number, block_id, visit, status)
      select r.id, r.step + 1, s.block_id, coalesce((r.visits ->> s.block_id)::int, 0) + 1, 'open'
      from runs r join run_steps s on s.run_id = r.id and s.number = r.step where r.id = ${id}
      returning ${steppedColumns(sql)}
    ), noted as (
      ${noteMoves(sql, sql`next`, { outcome: sql`null`, port: sql`null` })}
    ), heard as (
      -- Its next end tells as its first one did.
      delete from run_inputs where run_id = ${id} and kind = 'child_ended' and ref_id = ${child.id}
    ), led as (
      update runs set parent_step = next.number from next where runs.id = ${child.id}
    )
    update runs set status = 'waiting', waiting = 'child', waiting_since = clock_timestamp(), ${openAgain(sql)},
      step = next.number, block_id = next.block_id, visits = visits || jsonb_build_object(next.block_id, next.visit)
    from next where runs.id = ${id}
    returning ${runColumns(sql)}`;
  if (row) tx.start(runWork, row);
};
