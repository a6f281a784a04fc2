import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './log.ts';

/** Something done again and again beside the work; `stop` waits for what is under way. */
export type Periodic = { stop: () => Promise<void> };

/**
 * Does `work`, waits `everyMs` (a tenth more or less, so that processes started together drift apart), and again. What it
 * throws is logged as `<name>.failed`, and it goes on.
 */
export const startPeriodic = (
  work: (signal: AbortSignal) => Promise<unknown>,
  { name, everyMs, log }: { name: string; everyMs: number; log: Logger },
): Periodic => {
  const stopping = new AbortController();
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await work(stopping.signal);
      } catch (error) {
        log.warn({ err: error }, `${name}.failed`);
      }
      await sleep(everyMs * (0.9 + Math.random() * 0.2), undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  const ended = loop();
  return {
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};
