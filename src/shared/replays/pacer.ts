import { setTimeout as sleep } from 'node:timers/promises';

/** Paces what begins one after the other. */
export type Pacer = {
  /** Resolves when the next one may begin. */
  turn: () => Promise<void>;
};

/** The longest wait while `busy`, in ms: a service that is always busy must not stop a replay. */
const longestYieldMs = 250;
const lookEveryMs = 5;

/**
 * Spaces turns evenly, `perSecond` of them, and later while `busy`. A second's deliveries begun all at once would hold up everybody else for
 * half of that second. Lost time is not made up for.
 */
export const createPacer = ({ perSecond, busy }: { perSecond: number; busy: () => boolean }): Pacer => {
  const apartMs = 1_000 / perSecond;
  let nextMs = performance.now();
  return {
    turn: async () => {
      // The next turn makes up for a timer that was late by some ms, but not for a whole turn.
      nextMs = Math.max(nextMs, performance.now() - apartMs);
      const earlyMs = nextMs - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      const latestMs = performance.now() + longestYieldMs;
      while (busy() && performance.now() < latestMs) await sleep(lookEveryMs);
      nextMs += apartMs;
    },
  };
};
