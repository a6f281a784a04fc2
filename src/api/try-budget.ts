import { RequestError } from '../shared/errors.ts';
import type { ApiContext } from './http.ts';

/** A number of tries per key in a window of time. */
export type TryBudget = {
  /** Takes a try. When none is left, answers in how many seconds there are new ones. */
  take: (key: string) => { waitSeconds?: number };
  /** Gives back a try that was taken. */
  giveBack: (key: string) => void;
  /** Gives a key all of its tries back. */
  clear: (key: string) => void;
  readonly size: number;
};

export type TryBudgetOptions = { tries: number; windowSeconds: number; maxKeys?: number };

/**
 * Counts tries in the memory of each process. A flood may come from any number of addresses, so at most `maxKeys` keys are kept (some 20 MB).
 * Beyond that the key is forgotten whose window began first.
 */
export const createTryBudget = ({ tries, windowSeconds, maxKeys = 100_000 }: TryBudgetOptions): TryBudget => {
  /** Keys in the order in which their windows began, which is the order in which they end. */
  const windows = new Map<string, { used: number; endsAt: number }>();
  const forgetEnded = (now: number): void => {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now) return;
      windows.delete(key);
    }
  };
  const begin = (key: string, now: number) => {
    const [oldest] = windows.keys();
    if (oldest !== undefined && windows.size >= maxKeys) windows.delete(oldest);
    const window = { used: 0, endsAt: now + windowSeconds * 1000 };
    windows.set(key, window);
    return window;
  };
  return {
    take: (key) => {
      const now = performance.now();
      forgetEnded(now);
      const window = windows.get(key) ?? begin(key, now);
      if (window.used >= tries) return { waitSeconds: Math.ceil((window.endsAt - now) / 1000) };
      window.used += 1;
      return {};
    },
    giveBack: (key) => {
      const window = windows.get(key);
      if (window && window.used > 0) window.used -= 1;
    },
    clear: (key) => void windows.delete(key),
    get size() {
      return windows.size;
    },
  };
};

/** Takes a try for a request. Throws `rate_limited`, with what it is to `say`, when none is left. */
export const takeTry = (
  ctx: ApiContext,
  budget: TryBudget,
  key: string,
  say = 'Too many attempts. Try again later.',
): void => {
  const { waitSeconds } = budget.take(key);
  if (waitSeconds === undefined) return;
  ctx.set('Retry-After', String(waitSeconds));
  throw new RequestError('rate_limited', say);
};
