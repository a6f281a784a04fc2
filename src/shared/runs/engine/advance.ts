import type { EventTransact } from '../../events/emit.ts';
import { readId } from '../../ids.ts';
import type { Sql } from '../../platform/db/connect.ts';
import { callLane } from '../requests/request-lane.ts';
import { endedRun, type EndedRun } from './ended-run.ts';
import { lockFlows, readTargets } from './flow-targets.ts';
import { interpret } from './interpret.ts';
import { readScene, type Fence } from './read-snapshot.ts';
import type { Answer, Due, Next, Outcome, Scene } from './snapshot.ts';
import type { ReadScene } from './snapshot-row.ts';
import { storeOutcome } from './store.ts';
import type { RunFlow } from '../types.ts';
import type { ReadVersion } from './versions.ts';

export type AdvanceDeps = { transact: EventTransact; readVersion: ReadVersion; baseUrl: string; apiUrl: string };

/**
 * One look at a run: what has arrived is taken, its blocks are walked until one waits, and all of it commits together with the new program
 * counter. `due` is the timer that has fired. Safe to repeat: it goes on from the rows. Answers what the workflow does next; `over`
 * also when a later workflow carries the run. `started` is a run that has entered its first block, `ended` one that this look has ended, or of
 * whose end it has heard.
 */
export const advanceRun = (
  { transact, readVersion, baseUrl, apiUrl }: AdvanceDeps,
  run: RunFlow,
  due?: Due,
): Promise<Looked> => {
  const fence = { runId: readId('run', run.runId), resumes: run.resumes };
  return transact(async (tx) => {
    const scene = await readScene(tx.sql, fence, readVersion);
    if (!scene) return hearOfEnd(tx.sql, fence);
    const outcome = await decide(tx.sql, { ...scene, due: stepOf(scene, due) });
    const answer = await storeOutcome(tx, { scene, outcome, baseUrl, apiUrl });
    const isStarted = scene.step === undefined && outcome.steps.length > 0;
    return {
      next: nextOf(scene, answer, outcome),
      ...(isStarted && { started: { id: scene.run.id, ...scene.row } }),
      ended: endedRun(scene, answer),
    };
  });
};

type Started = { id: string; accountId: string; flowId: string; version: number };

type Looked = { next: Next; started?: Started; ended?: EndedRun | undefined };

/** A flow that the run starts is locked, so that it is live until the commit; it may have been paused since the scene was read. */
const decide = async (sql: Sql, scene: ReadScene & Scene): Promise<Outcome> => {
  const outcome = interpret(scene);
  const started = outcome.effects.flatMap(({ effect }) => (effect.type === 'start_flow' ? [effect.flowId] : []));
  if (started.length === 0) return outcome;
  await lockFlows(sql, started);
  return interpret({
    ...scene,
    targets: await readTargets(
      sql,
      scene.row.contactId,
      started.map((id) => readId('flow', id)),
    ),
  });
};

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
  const [row] = await sql<EndedRun[]>`
    select id, account_id, flow_id, status, reason, block_id,
      round(extract(epoch from coalesce(ended_at, clock_timestamp()) - started_at) * 1000)::float8 as duration_ms
    from runs where id = ${runId}`;
  const { status, reason } = row ?? { status: 'cancelled' as const, reason: null };
  return {
    next: { type: 'over', status, ...(reason !== null && { reason }) },
    ...(heard.count > 0 && { ended: row }),
  };
};
