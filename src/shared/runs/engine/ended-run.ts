import type { PassNext } from './pass.ts';
import type { RunStatus } from './run-state.ts';
import type { ReadSnapshot } from './snapshot-row.ts';

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

/** The run of a snapshot, where its pass has ended it. */
export const endedRun = (
  { row: { accountId, flowId }, run: { id }, context }: ReadSnapshot,
  next: PassNext,
): EndedRun | undefined => {
  if (next.type !== 'over') return undefined;
  const { status, reason = null, blockId = null } = next;
  const durationMs = Math.max(0, context.now.getTime() - context.run.startedAt.getTime());
  return { id, accountId, flowId, status, reason, blockId, durationMs };
};
