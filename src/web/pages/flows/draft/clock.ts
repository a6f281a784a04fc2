import type { Clock } from './session.ts';

/** The browser's clock. */
export const browserClock: Clock = {
  now: () => Date.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};
