import type { PrivateReaction } from '../../facts/tell.ts';
import { putInput } from '../inputs.ts';
import { wakeRunsOf } from '../life/wake-runs.ts';

/**
 * When a handover has ended, the runs that wait for that go on, and so do those that it has silenced.
 */
export const followHandover: PrivateReaction = async (tx, fact) => {
  if (fact.name !== 'handover_ended') return;
  const { handoverId: refId, contactId, status, byRunId: except = null } = fact;
  const waiting = await tx.sql<{ id: string }[]>`
    select id from runs where contact_id = ${contactId} and ended_at is null and waiting = 'handover' and id is distinct from ${except} order by id`;
  for (const { id } of waiting) await putInput(tx, { runId: id, kind: 'resolved', refId, data: { status } });
  await wakeRunsOf(tx, contactId, { except });
};
