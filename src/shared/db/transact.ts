import type { DispatchRequest } from '../dispatch/requests.ts';
import { noTracing, type Tracing } from '../telemetry/tracing.ts';
import type { Database, Sql } from './connect.ts';

/** A transaction under way: its queries, the workflows it wants started once it has committed, and what traces it. */
export type Transaction = { sql: Sql; dispatch: (request: DispatchRequest) => void; tracing: Tracing };

/** Runs `work` in one transaction; what it asked to dispatch is handed on after the commit, and only then. */
export type Transact = <Result>(work: (tx: Transaction) => Promise<Result>) => Promise<Result>;

/** The one way to write something that a workflow follows: routes and activities both use it, so both dispatch. */
export const createTransact =
  (
    db: Database,
    dispatch: (requests: readonly DispatchRequest[]) => void,
    { tracing = noTracing }: { tracing?: Tracing } = {},
  ): Transact =>
  async (work) => {
    const requests: DispatchRequest[] = [];
    // The result is boxed: postgres.js unwraps arrays of promises that it gets from the callback.
    const { result } = await db.begin(async (sql) => ({
      result: await work({ sql, dispatch: (request) => requests.push(request), tracing }),
    }));
    if (requests.length > 0) dispatch(requests);
    return result;
  };
