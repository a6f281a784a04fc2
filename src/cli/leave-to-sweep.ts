import type { Database } from '../shared/db/connect.ts';
import { createTransact, type Transaction } from '../shared/db/transact.ts';
import { giveBack } from '../shared/dispatch/overdue.ts';
import type { DispatchRequest } from '../shared/dispatch/requests.ts';

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
