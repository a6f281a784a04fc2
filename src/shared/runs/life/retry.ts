import { noteMoves } from '../analytics/moves.ts';
import { conflictWith, found, RequestError } from '../../errors.ts';
import { lockContact } from '../../contacts/lock-contact.ts';
import type { Transaction } from '../../platform/dispatch/transact.ts';
import { runColumns, runWork, startGraceSeconds, type RunWorkRow } from '../work.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransaction } from '../../facts/tell.ts';

/** A run of an account; ids are UUIDs. */
type RunId = { accountId: string; runId: string };

/**
 * Has a failed run go on at the block where it failed, as a new visit of it: a request then has a new Idempotency-Key. Throws 404; 409 for a
 * run that has not failed, whose flow is paused or archived, whose contact is in the flow again by another run, or whose request may have been
 * carried out.
 */
export const retryRun = async (tx: EventTransaction, { accountId, runId }: RunId): Promise<void> => {
  const { sql } = tx;
  const [known] = await sql<{ contactId: string }[]>`
    select contact_id from runs where id = ${runId} and account_id = ${accountId}`;
  const { contactId } = found('run', known);
  await lockContact(sql, { accountId, contactId });
  const [run] = await sql<
    { status: string; reason: string | null; flowStatus: string; otherId: string | null; step: number }[]
  >`
    select r.status, r.reason, r.step, f.status as flow_status, (
        select id from runs o
        where r.one_active and o.contact_id = r.contact_id and o.flow_id = r.flow_id and o.ended_at is null and o.one_active
      ) as other_id
    from runs r join flows f on f.id = r.flow_id where r.id = ${runId} for no key update of r`;
  const problem = run && whyNot(run);
  if (problem) throw new RequestError('conflict', problem);
  if (run && run.otherId !== null) {
    throw conflictWith('The contact is in this flow again, in another run.', { noun: 'run', id: run.otherId });
  }
  await reopen(tx, runId);
  await tx.tell(changed(accountId, 'runs'));
};

const whyNot = (run: { status: string; reason: string | null; flowStatus: string; step: number }) => {
  if (run.status !== 'failed') return 'Only a failed run can be retried.';
  if (run.reason === 'outcome_unknown')
    return 'Its request may have been carried out. Check the other service, then enroll the contact again.';
  if (run.step === 0) return 'The run was never begun: it was one too many in a chain of causes.';
  if (run.flowStatus === 'paused') return 'The flow is paused.';
  return run.flowStatus === 'archived' ? 'The flow is archived.' : undefined;
};

/** The block is entered once more, as the next step. A workflow of its own goes on with it. */
const reopen = async (tx: Transaction, runId: string): Promise<void> => {
  const { sql } = tx;
  const [row] = await sql<RunWorkRow[]>`
    with next as (
      insert into run_steps (run_id, number, block_id, visit, status)
      select r.id, r.step + 1, s.block_id, coalesce((r.visits ->> s.block_id)::int, 0) + 1, 'pending'
      from runs r join run_steps s on s.run_id = r.id and s.number = r.step where r.id = ${runId}
      returning run_id, number, block_id, visit, entered_at, left_at, true as is_new, false as is_done
    ), moved as (
      ${noteMoves(sql, sql`next`, { outcome: sql`null`, port: sql`null` })}
    )
    update runs set status = 'running', reason = null, ended_at = null, resumes = resumes + 1, woken = false, sweeps = 0,
      steps_since_wait = 0, step = next.number, block_id = next.block_id,
      visits = visits || jsonb_build_object(next.block_id, next.visit),
      sweep_at = clock_timestamp() + make_interval(secs => ${startGraceSeconds})
    from next where runs.id = ${runId}
    returning ${runColumns(sql)}`;
  if (row) tx.start(runWork, row);
};
