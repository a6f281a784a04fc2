import type { Reaction } from '../../facts/tell.ts';
import { runWork } from '../work.ts';

/**
 * Wakes the open runs of a contact when agents take it over: the clocks of open questions stand still from then on. The family of runs
 * that has requested the handover knows.
 */
export const silenceRuns: Reaction<readonly string[] | null> = {
  read: (sql, { name, contactId, cause }) =>
    name === 'handover_requested'
      ? sql`
        select json_agg(id order by id) from runs
        where contact_id = ${contactId} and ended_at is null and root_run_id is distinct from ${cause?.rootRunId ?? null}`
      : undefined,
  react: (tx, _event, runIds) => tx.wake(runWork, runIds ?? []),
};
