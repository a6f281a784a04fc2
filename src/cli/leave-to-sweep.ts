import { withReactions, type EventTransaction } from '../shared/facts/tell.ts';
import type { TellTopics } from '../shared/facts/topics.ts';
import { notifyOthers } from '../shared/hints/tell-topics.ts';
import type { Database } from '../shared/platform/db/connect.ts';
import { createTransact } from '../shared/platform/dispatch/transact.ts';
import { releaseLease } from '../shared/platform/dispatch/overdue.ts';
import type { WorkItem } from '../shared/platform/dispatch/work.ts';
import { ownProcessId } from '../shared/platform/processes/own-process.ts';
import { reactions } from '../shared/reactions.ts';

/**
 * Runs `work` in a transaction. The next sweep of a running service starts the workflows that it asks for, and open pages hear of what it has
 * changed.
 */
export const leaveToSweep = async <Result>(
  db: Database,
  work: (tx: EventTransaction) => Promise<Result>,
): Promise<Result> => {
  const asked: WorkItem[] = [];
  const told: Parameters<TellTopics>[0][] = [];
  const transact = withReactions(
    reactions,
    createTransact(db, (items) => asked.push(...items)),
    (changed) => told.push(changed),
  );
  const result = await transact(work);
  await releaseLease(db, asked);
  // Pages that hear nothing are late. That is no failure of the command.
  for (const changed of told) await notifyOthers(db, ownProcessId, changed).catch(() => {});
  return result;
};
