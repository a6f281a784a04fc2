import type { EventTransact } from '../events/emit.ts';
import { readId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import { callLane } from './call-lane.ts';
import { interpret } from './interpret.ts';
import { readScene, type Fence, type ReadScene } from './read-scene.ts';
import type { Answer, Due, Next, Outcome, RunStatus } from './scene.ts';
import { storeOutcome } from './store-outcome.ts';
import type { RunFlow } from './types.ts';
import type { ReadVersion } from './versions.ts';

export type AdvanceDeps = { transact: EventTransact; readVersion: ReadVersion; apiUrl: string };

/**
 * One look at a run: what has arrived is taken, its blocks are walked until one waits, and all of it commits together with the new program
 * counter. `due` is the timer that has fired. Safe to repeat: it goes on from the rows. Answers what the workflow does next; `over`
 * also when a later workflow carries the run. `ended` is the run's status when this look is the one that has ended it, or has heard of its end.
 */
export const advanceRun = (
  { transact, readVersion, apiUrl }: AdvanceDeps,
  run: RunFlow,
  due?: Due,
): Promise<Looked> => {
  const fence = { runId: readId('run', run.runId), resumes: run.resumes };
  return transact(async (tx) => {
    const scene = await readScene(tx.sql, fence, readVersion);
    if (!scene) return hearOfEnd(tx.sql, fence);
    const outcome = interpret({ ...scene, due: stepOf(scene, due) });
    const answer = await storeOutcome(tx, { scene, outcome, apiUrl });
    return { next: nextOf(scene, answer, outcome), ...(answer.type === 'over' && { ended: answer.status }) };
  });
};

type Looked = { next: Next; ended?: RunStatus };

/** The step whose timer has fired. A look that is repeated after a crash may find the run in its next wait: that has a timer of its own. */
const stepOf = ({ run }: ReadScene, due: Due | undefined): number | undefined =>
  due?.at === run.wakeAt?.getTime() ? due?.step : undefined;

const nextOf = ({ callOf, row }: ReadScene, answer: Answer, { run }: Outcome): Next => {
  if (answer.type === 'wait' && run.wakeAt !== null) return { ...answer, dueAt: run.wakeAt.getTime() };
  if (answer.type !== 'call') return answer;
  const { origin, timeoutMs } = callOf(answer.blockId);
  return { ...answer, timeoutMs, lane: callLane(row.accountId, origin) };
};

/** The workflow of a run that was ended by others hears of it here: the sweep need not look after the row any more. */
const hearOfEnd = async (sql: Sql, { runId, resumes }: Fence): Promise<Looked> => {
  const heard = await sql`
    update runs set sweep_at = null, woken = false
    where id = ${runId} and resumes = ${resumes} and ended_at is not null and sweep_at is not null`;
  const [row] = await sql<{ status: RunStatus; reason: string | null }[]>`
    select status, reason from runs where id = ${runId}`;
  const { status, reason } = row ?? { status: 'cancelled' as const, reason: null };
  return {
    next: { type: 'over', status, ...(reason !== null && { reason }) },
    ...(heard.count > 0 && { ended: status }),
  };
};
