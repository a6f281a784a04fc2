/** Runs work a bounded number at a time. */
export type FairQueue = {
  /** Does `work` when its turn has come among those of its key. */
  take: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** How many pieces of work are under way or wait for their turn. */
  readonly size: number;
};

/**
 * Runs at most `atOnce` pieces of work at a time, and at most `perKey` of one key. Each key that waits has one turn before any key has its
 * second: a thousand pieces of one account hold up another account by one.
 */
export const createFairQueue = (atOnce: number, { perKey = atOnce }: { perKey?: number } = {}): FairQueue => {
  const waiting = new Map<string, (() => void)[]>();
  const running = new Map<string, number>();
  let free = atOnce;
  let size = 0;

  const isFree = (key: string): boolean => free > 0 && (running.get(key) ?? 0) < perKey;

  const begin = (key: string): void => {
    free -= 1;
    running.set(key, (running.get(key) ?? 0) + 1);
  };

  const end = (key: string): void => {
    free += 1;
    const left = (running.get(key) ?? 0) - 1;
    if (left > 0) running.set(key, left);
    else running.delete(key);
  };

  const wait = (key: string): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(key);
      if (queue) queue.push(resolve);
      else waiting.set(key, [resolve]);
    });

  /** The first key in line that may begin takes over the turn and goes to the end of the line. */
  const handOver = (): void => {
    for (const [key, queue] of waiting) {
      if (!isFree(key)) continue;
      const next = queue.shift();
      waiting.delete(key);
      if (queue.length > 0) waiting.set(key, queue);
      begin(key);
      return next?.();
    }
  };

  return {
    take: async (key, work) => {
      size += 1;
      if (isFree(key)) begin(key);
      else await wait(key);
      try {
        return await work();
      } finally {
        size -= 1;
        end(key);
        handOver();
      }
    },
    get size() {
      return size;
    },
  };
};
