import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';

/** An answer as its owner has typed it; `body` is JSON as text. */
export type Answer = { status: number; body: string | null; delayMs: number };

/** The most answers of an account that are delayed at a time, so that its connections leave room for others. More are given at once. */
const delayedAtMost = 32;

/** Answers requests, after their delay. `stop` ends all delays. */
export const createAnswering = () => {
  const delayed = new Map<string, number>();
  const stopping = new AbortController();
  // Each delay listens.
  setMaxListeners(0, stopping.signal);

  const delay = async (accountId: string, response: ServerResponse, ms: number): Promise<void> => {
    const underWay = delayed.get(accountId) ?? 0;
    if (ms === 0 || underWay >= delayedAtMost) return;
    delayed.set(accountId, underWay + 1);
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', end);
        response.off('close', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      stopping.signal.addEventListener('abort', end);
      response.on('close', end);
      if (stopping.signal.aborted) end();
    });
    const left = (delayed.get(accountId) ?? 1) - 1;
    if (left > 0) delayed.set(accountId, left);
    else delayed.delete(accountId);
  };

  return {
    answer: async (response: ServerResponse, accountId: string, { status, body, delayMs }: Answer): Promise<void> => {
      await delay(accountId, response, delayMs);
      if (response.destroyed) return;
      response.writeHead(status, body === null ? {} : { 'content-type': 'application/json' }).end(body ?? undefined);
    },
    stop: () => stopping.abort(),
  };
};
