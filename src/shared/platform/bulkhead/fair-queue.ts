/** Runs work a bounded number at a time. */
export type FairQueue = {
  /** Does `work` when its turn has come among those of its key. */
  take: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** How many pieces of work are under way or wait for their turn. */
  readonly size: number;
};

/**
 * Runs at most `atOnce` pieces of work at a time. Each key that waits has one turn before any key has its second: a thousand
 * pieces of one account hold up another account by one.
 */
export const createFairQueue = (atOnce: number): FairQueue => {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;
  let size = 0;

  const wait = (key: string): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(key);
      if (queue) queue.push(resolve);
      else waiting.set(key, [resolve]);
    });

  /** The first key in line takes over the turn and goes to the end of the line. */
  const handOver = (): void => {
    const [first] = waiting;
    if (!first) {
      running -= 1;
      return;
    }
    const [key, queue] = first;
    const next = queue.shift();
    waiting.delete(key);
    if (queue.length > 0) waiting.set(key, queue);
    next?.();
  };

  return {
    take: async (key, work) => {
      size += 1;
      if (running >= atOnce) await wait(key);
      else running += 1;
      try {
        return await work();
      } finally {
        size -= 1;
        handOver();
      }
    },
    get size() {
      return size;
    },
  };
};
