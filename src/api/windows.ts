/** What was used in a window of time. */
export type Window<Used> = { used: Used; endsAt: number };

export type WindowsOptions<Used> = { windowSeconds: number; begin: () => Used; maxKeys?: number };

/**
 * A window of time for each key, which begins with what comes first, in the memory of each process. A flood may come from any number of addresses,
 * so at most `maxKeys` keys are kept (some 20 MB). Beyond that the key is forgotten whose window began first.
 */
export const createWindows = <Used>({ windowSeconds, begin, maxKeys = 100_000 }: WindowsOptions<Used>) => {
  /** Keys in the order in which their windows began, which is the order in which they end. */
  const windows = new Map<string, Window<Used>>();
  const forgetEnded = (now: number): void => {
    for (const [key, { endsAt }] of windows) {
      if (endsAt > now) return;
      windows.delete(key);
    }
  };
  return {
    /** The window of a key now, and in how many seconds the next one may begin. */
    of: (key: string): { window: Window<Used>; waitSeconds: number } => {
      const now = performance.now();
      forgetEnded(now);
      let window = windows.get(key);
      if (!window) {
        const [oldest] = windows.keys();
        if (oldest !== undefined && windows.size >= maxKeys) windows.delete(oldest);
        window = { used: begin(), endsAt: now + windowSeconds * 1000 };
        windows.set(key, window);
      }
      // Sums of fractions may be a little more than the whole.
      return { window, waitSeconds: Math.min(windowSeconds, Math.ceil((window.endsAt - now) / 1000)) };
    },
    /** The window that began last, even where it is over. */
    find: (key: string): Window<Used> | undefined => windows.get(key),
    forget: (key: string): void => void windows.delete(key),
    get size() {
      return windows.size;
    },
  };
};
