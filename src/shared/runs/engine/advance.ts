import type { EventTransact, Writer } from '../../facts/tell.ts';
import type { FiredTimer, RunFlow } from '../types.ts';
import type { EndedRun } from './ended-run.ts';
import { makePass, type MadePass } from './make-pass.ts';
import { carriedRun, readSnapshot, type RunKey } from './read-snapshot.ts';
import type { ReadSnapshot } from './snapshot-row.ts';
import type { Urls } from './store.ts';
import type { ReadVersion } from './versions.ts';
import { changed } from '../../facts/changed.ts';

export type AdvanceDeps = Urls & { transact: EventTransact; readVersion: ReadVersion };

/**
 * Makes one pass over a run: inputs are taken, its blocks are walked until one waits, and all of it commits together with the new program counter.
 * `fired` is the timer by which it is made. Safe to repeat: it goes on from the rows. Answers what the workflow does next; `over` also when a later
 * workflow carries the run. `started` is a run that has entered its first block, `ended` one that this pass has ended, or of whose cancellation it has
 * heard.
 */
export const advanceRun = (
  { transact, readVersion, ...urls }: AdvanceDeps,
  run: RunFlow,
  fired?: FiredTimer,
): Promise<Advanced> => {
  const key = carriedRun(run);
  return transact(async (tx) => {
    const snapshot = await readSnapshot(tx.sql, key, readVersion);
    if (!snapshot) return acknowledgeEnd(tx, key);
    const due = stepOf(snapshot, fired);
    return makePass(tx, { ...snapshot, due }, { urls });
  });
};

type Advanced = Pick<MadePass, 'next'> & Partial<Pick<MadePass, 'started' | 'ended'>>;

/** The step whose timer has fired. A pass that is repeated after a crash may find the run in its next wait, which has a timer of its own. */
const stepOf = ({ run }: ReadSnapshot, fired: FiredTimer | undefined): number | undefined =>
  fired?.at === run.wakeAt?.getTime() ? fired?.step : undefined;

/** Tells the workflow of a run that others have ended: the sweep need not look after the row any more. A pass has told the end that it made itself. */
const acknowledgeEnd = async ({ sql, tell }: Writer, { runId, resumes }: RunKey): Promise<Advanced> => {
  const acknowledged = await sql`
    update runs set sweep_at = null, woken = false
    where id = ${runId} and resumes = ${resumes} and ended_at is not null and sweep_at is not null`;
  const [row] = await sql<EndedRun[]>`
    select id, account_id, flow_id, status, reason, block_id,
      round(extract(epoch from coalesce(ended_at, clock_timestamp()) - started_at) * 1000)::float8 as duration_ms
    from runs where id = ${runId}`;
  if (row && acknowledged.count > 0) await tell(changed(row.accountId, 'runs'));
  const { status, reason, blockId: at } = row ?? { status: 'cancelled' as const, reason: null, blockId: null };
  const blockId = status === 'failed' ? at : null;
  return {
    next: { type: 'over', status, ...(reason !== null && { reason }), ...(blockId !== null && { blockId }) },
    ...(acknowledged.count > 0 && status === 'cancelled' && { ended: row }),
  };
};
