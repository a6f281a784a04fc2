import type { Database } from '../shared/platform/db/connect.ts';
import { createTransact, type Transaction } from '../shared/platform/dispatch/transact.ts';
import { releaseLease } from '../shared/platform/dispatch/overdue.ts';
import type { WorkItem } from '../shared/platform/dispatch/work.ts';

/** Runs `work` in a transaction. The next sweep of a running service starts the workflows that it asks for. */
export const leaveToSweep = async <Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => {
  const asked: WorkItem[] = [];
  const result = await createTransact(db, (items) => asked.push(...items))(work);
  await releaseLease(db, asked);
  return result;
};
