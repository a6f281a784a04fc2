import { setTimeout as sleep } from 'node:timers/promises';

/** Lets one thing after the other begin. */
export type Pacer = {
  /** Resolves when it is the next one's turn. */
  turn: () => Promise<void>;
};

/** Nobody gives way for longer than this, in ms: what is busy for good must not stop a replay. */
const longestYieldMs = 250;
const lookEveryMs = 5;

/**
 * Turns that are evenly `perSecond` apart, later while `busy`: a second's deliveries begun all at once would be in the way of
 * everybody else's for half of that second. Time that was lost is not made up for.
 */
export const createPacer = ({ perSecond, busy }: { perSecond: number; busy: () => boolean }): Pacer => {
  const apartMs = 1_000 / perSecond;
  let nextMs = performance.now();
  return {
    turn: async () => {
      // A timer may be late by some ms, which the next turn makes up for; a whole turn it does not.
      nextMs = Math.max(nextMs, performance.now() - apartMs);
      const earlyMs = nextMs - performance.now();
      if (earlyMs > 0) await sleep(earlyMs);
      const latestMs = performance.now() + longestYieldMs;
      while (busy() && performance.now() < latestMs) await sleep(lookEveryMs);
      nextMs += apartMs;
    },
  };
};
