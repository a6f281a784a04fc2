import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from './log.ts';

/** Work that is repeated until `stop`, which waits for the run under way. */
export type Periodic = { stop: () => Promise<void> };

/**
 * Runs `work` and waits `everyMs`, again and again. The wait varies by a tenth, so that processes that started together drift apart. An error is
 * logged as `<name>.failed` and does not end the repetition.
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
