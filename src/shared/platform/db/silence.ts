import { setTimeout as sleep } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Sockets } from './sockets.ts';

/**
 * Asks the server `select 1` every `everyMs` until `signal` aborts. Calls `onSilence` when nothing at all has come from the server
 * twice in a row: TCP alone would notice a network that swallows packets after a quarter of an hour. An error is an answer, and so
 * is an answer to another query, because all connections may be in use. `current` returns the present pool.
 */
export const watchSilence = async (
  current: () => { pool: postgres.Sql; sockets: Sockets },
  { everyMs, signal, onSilence }: { everyMs: number; signal: AbortSignal; onSilence: () => void },
): Promise<void> => {
  for (let silent = 0; !signal.aborted;) {
    const { pool, sockets } = current();
    const receivedBefore = sockets.received();
    const settled = () => true;
    const answer = pool`select 1`.then(settled, settled);
    await sleep(everyMs, undefined, { ref: false, signal }).catch(() => {});
    const heard = (await Promise.race([answer, Promise.resolve(false)])) || sockets.received() !== receivedBefore;
    silent = heard ? 0 : silent + 1;
    if (silent < 2 || signal.aborted) continue;
    silent = 0;
    onSilence();
  }
};
