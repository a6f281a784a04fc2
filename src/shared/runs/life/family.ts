import { conflictWith, RequestError } from '../../errors.ts';
import type { Sql } from '../../platform/db/connect.ts';

/** A failed run, or one that has started it, as a retry reads it; ids are UUIDs. */
export type FailedRun = {
  id: string;
  parentRunId: string | null;
  parentStep: number | null;
  status: string;
  reason: string | null;
  step: number;
  blockId: string | null;
  version: number;
  flowId: string;
  flowStatus: string;
  /** Another run of its contact in its flow, where the contact can be in it only once. */
  otherId: string | null;
};

/**
 * Locks a run and those that have started it, up to the first one, and answers them in this order. `version` is the one on which the run itself is to
 * go on. The caller has locked the contact.
 */
export const lockFamily = async (sql: Sql, runId: string, version?: number): Promise<FailedRun[]> => {
  const rows = await sql<FailedRun[]>`
    with recursive chain as (
      select id, parent_run_id, ${version ?? null}::int as version from runs where id = ${runId}
      union all select r.id, r.parent_run_id, null from chain join runs r on r.id = chain.parent_run_id
    )
    select r.id, r.parent_run_id, r.parent_step, r.status, r.reason, r.step, r.block_id, r.version, r.flow_id, f.status as flow_status, (
        select o.id from runs o
        where o.contact_id = r.contact_id and o.flow_id = r.flow_id and o.ended_at is null and o.one_active and coalesce(
          (select v.one_active from flow_versions v where v.flow_id = r.flow_id and v.version = chain.version), r.one_active)
        limit 1
      ) as other_id
    from chain join runs r on r.id = chain.id join flows f on f.id = r.flow_id
    order by r.id for no key update of r`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const family: FailedRun[] = [];
  for (let next = byId.get(runId); next; next = next.parentRunId === null ? undefined : byId.get(next.parentRunId))
    family.push(next);
  return family;
};

/** Throws `conflict` where the run cannot go on, or one that has started it cannot wait for it again. */
export const requireRetryable = (
  [run, ...parents]: readonly FailedRun[],
  { evenUnknown }: { evenUnknown: boolean },
): void => {
  if (!run) return;
  if (run.status !== 'failed') throw conflict('Only a failed run can be retried.');
  if (run.reason === 'outcome_unknown' && !evenUnknown)
    throw conflict('Its request may have been carried out. Check the other service, then enroll the contact again.');
  if (run.step === 0) throw conflict('The run was never begun: it was one too many in a chain of causes.');
  let child = run;
  for (const parent of parents) {
    if (parent.status !== 'failed' || parent.step !== child.parentStep)
      throw conflict('The run that started it does not wait for it any more.');
    child = parent;
  }
  for (const { flowStatus, otherId } of [run, ...parents]) {
    if (flowStatus === 'paused') throw conflict('The flow is paused.');
    if (flowStatus === 'archived') throw conflict('The flow is archived.');
    if (otherId !== null)
      throw conflictWith('The contact is in this flow again, in another run.', { noun: 'run', id: otherId });
  }
};

const conflict = (message: string) => new RequestError('conflict', message);
