import { noteMoves } from '../analytics/moves.ts';
import { moveForeground } from '../foreground.ts';
import { putInput } from '../inputs.ts';
import { tellPassedOver } from '../tell-routed.ts';
import { runWork } from '../work.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransaction } from '../../facts/tell.ts';

/** Whose runs are to end: all of a contact, or one with those that it has started; ids are UUIDs. */
type Ending = { accountId: string; contactId: string; runId?: string; reason: string };

type Ended = { id: string; rootRunId: string; parentRunId: string | null };

/**
 * Cancels runs: decided here, in their rows, and told to their workflows by a signal of its own, which also breaks off a request, and which the
 * sweep repeats until they have heard. Answers how many were open. The caller has locked the contact.
 */
export const endRuns = async (
  tx: EventTransaction,
  { accountId, contactId, runId, reason }: Ending,
): Promise<number> => {
  const { sql } = tx;
  const ended = await sql<Ended[]>`
    with recursive tree as (
      select id from runs where contact_id = ${contactId} and ended_at is null ${runId === undefined ? sql`` : sql`and id = ${runId}`}
      union select r.id from tree join runs r on r.parent_run_id = tree.id and r.ended_at is null
    ), locked as materialized (
      select id, step from runs where id in (select id from tree) order by id for no key update
    ), steps as (
      update run_steps s set status = 'done', reason = ${reason}, left_at = clock_timestamp(), items = null
      from locked where s.run_id = locked.id and s.number = locked.step and s.status <> 'done'
      returning s.run_id, s.block_id, s.request_id, s.entered_at, s.left_at, false as is_new, true as is_done
    ), moved as (
      ${noteMoves(sql, sql`steps`, { outcome: sql`'cancelled'`, port: sql`${reason}` })}
    ), requested as (
      -- Nothing is sent again.
      update requests q set rendered = null from steps where q.id = steps.request_id
    )
    update runs r set status = 'cancelled', reason = ${reason}, waiting = null, waiting_since = null, wake_at = null, left_ms = null,
      ended_at = clock_timestamp(), woken = false, sweep_at = clock_timestamp() + interval '5 seconds'
    from locked where r.id = locked.id and r.ended_at is null
    returning r.id, r.root_run_id, r.parent_run_id`;
  const ids = new Set(ended.map(({ id }) => id));
  const rootRunIds = ended.flatMap(({ id, rootRunId }) => (id === rootRunId ? [id] : []));
  if (rootRunIds.length > 0) await tellPassedOver(tx, { rootRunIds });
  await tx.wake(runWork, [...ids]);
  for (const { id, parentRunId } of ended) {
    if (parentRunId === null || ids.has(parentRunId)) continue;
    await putInput(tx, { runId: parentRunId, kind: 'child_ended', refId: id, data: { status: 'cancelled' } });
  }
  await releaseForeground(tx, { contactId, ids });
  if (ended.length > 0) await tx.tell(changed(accountId, 'runs'));
  return ended.length;
};

/** The conversation is free again when the run that began the family has ended. */
const releaseForeground = async (
  tx: EventTransaction,
  { contactId, ids }: { contactId: string; ids: ReadonlySet<string> },
): Promise<void> => {
  const [contact] = await tx.sql<{ foreground: string | null }[]>`
    select foreground_run_id as foreground from contacts where id = ${contactId}`;
  const from = contact?.foreground ?? null;
  if (from !== null && ids.has(from)) await moveForeground(tx, { contactId, from, to: null });
};
