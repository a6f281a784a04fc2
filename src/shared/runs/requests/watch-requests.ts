import type { Sql } from '../../platform/db/connect.ts';
import type { RunKey } from '../engine/read-snapshot.ts';

/** Tells requests under way that their run does not wait for them any more. */
export type RequestWatch = {
  /** Watches a request until it is disposed of. Its signal aborts when the run has ended, or is at another step. */
  watch: (request: Watched) => Disposable & { signal: AbortSignal };
};

type Watched = Pick<RunKey, 'runId'> & { step: number };

/** How often the rows are asked, in ms: a request that takes less long costs no statement. */
const everyMs = 500;

/**
 * Asks the rows of all requests under way in this process together. A signal would not do: a workflow task that makes a request itself hears of none
 * before the request has ended.
 */
export const watchRequests = (sql: Sql): RequestWatch => {
  const watched = new Map<AbortController, Watched & { sinceMs: number }>();
  let timer: NodeJS.Timeout | undefined;

  const look = async (): Promise<void> => {
    const old = [...watched].filter(([, { sinceMs }]) => performance.now() - sinceMs >= everyMs / 2);
    if (old.length === 0) return;
    const rows = await sql<Watched[]>`
      select id as run_id, step from runs where id = any(${old.map(([, { runId }]) => runId)}::uuid[]) and waiting = 'call'`;
    const waiting = new Map(rows.map(({ runId, step }) => [runId, step]));
    for (const [controller, { runId, step }] of old) if (waiting.get(runId) !== step) controller.abort();
  };

  const plan = (): void => {
    // While the database is away nobody cancels a run.
    timer = setTimeout(
      () =>
        void look()
          .catch(() => {})
          .then(again),
      everyMs,
    ).unref();
  };

  const again = (): void => {
    timer = undefined;
    if (watched.size > 0) plan();
  };

  return {
    watch: (request) => {
      const controller = new AbortController();
      watched.set(controller, { ...request, sinceMs: performance.now() });
      if (timer === undefined) plan();
      return { signal: controller.signal, [Symbol.dispose]: () => void watched.delete(controller) };
    },
  };
};
