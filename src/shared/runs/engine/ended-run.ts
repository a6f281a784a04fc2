import type { ReadScene } from './snapshot-row.ts';
import type { Answer, RunStatus } from './snapshot.ts';

/** A run that has ended, for log and metrics; ids are UUIDs. `reason` is one of the engine's own words. */
export type EndedRun = {
  id: string;
  accountId: string;
  flowId: string;
  status: RunStatus;
  reason: string | null;
  blockId: string | null;
  durationMs: number;
};

/** The run of a scene, where this is the answer that has ended it. */
export const endedRun = (
  { row: { accountId, flowId }, run: { id }, context }: ReadScene,
  answer: Answer,
): EndedRun | undefined => {
  if (answer.type !== 'over') return undefined;
  const { status, reason = null, blockId = null } = answer;
  const durationMs = Math.max(0, context.now.getTime() - context.run.startedAt.getTime());
  return { id, accountId, flowId, status, reason, blockId, durationMs };
};
