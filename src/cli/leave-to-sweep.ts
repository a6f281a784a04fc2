import type { Database } from '../shared/platform/db/connect.ts';
import { createTransact, type Transaction } from '../shared/platform/dispatch/transact.ts';
import { giveBack } from '../shared/platform/dispatch/overdue.ts';
import type { DispatchRequest } from '../shared/platform/dispatch/requests.ts';

/** Runs `work` in a transaction; the workflows that it asks for are looked after by the next sweep. */
export const leaveToSweep = async <Result>(
  db: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => {
  const asked: DispatchRequest[] = [];
  const result = await createTransact(db, (requests) => asked.push(...requests))(work);
  await giveBack(db, asked);
  return result;
};
