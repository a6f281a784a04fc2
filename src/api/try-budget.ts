import { RequestError } from '../shared/errors.ts';
import type { ApiContext } from './http.ts';
import { createWindows } from './windows.ts';

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

/** Counts tries in windows of time: see `createWindows`. */
export const createTryBudget = ({ tries, ...options }: TryBudgetOptions): TryBudget => {
  const windows = createWindows({ ...options, begin: () => 0 });
  return {
    take: (key) => {
      const { window, waitSeconds } = windows.of(key);
      if (window.used >= tries) return { waitSeconds };
      window.used += 1;
      return {};
    },
    giveBack: (key) => {
      const window = windows.find(key);
      if (window && window.used > 0) window.used -= 1;
    },
    clear: windows.forget,
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
