/** Waits that a person's return cuts short. */
export type Pauses = {
  /** Resolves after so many ms, at the next `wake`, or when the signal is aborted. */
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  wake: () => void;
};

export const createPauses = (): Pauses => {
  const waiting = new Set<() => void>();
  return {
    wake: () => {
      for (const end of waiting) end();
    },
    pause: (ms, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        waiting.add(end);
        signal.addEventListener('abort', end);
        if (signal.aborted) end();
      }),
  };
};

/** How long to wait after so many failures in a row, in ms: up to 1, 2, 4 … 30 s, at random, so that not all visitors come back at once. */
export const backOff = (failures: number, random: () => number = Math.random): number =>
  Math.min(30_000, 1_000 * 2 ** Math.min(failures, 5)) * (0.25 + 0.75 * random());
