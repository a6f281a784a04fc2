/** Runs work a bounded number at a time. */
export type Turns = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs at most `atOnce` pieces of work at a time. Of those that wait, each key has one turn before any has its second: a
 * thousand of one account hold up another's by one.
 */
export const createTurns = (atOnce: number): Turns => {
  const waiting = new Map<string, (() => void)[]>();
  let running = 0;

  const wait = (key: string): Promise<void> =>
    new Promise((resolve) => {
      const queue = waiting.get(key);
      if (queue) queue.push(resolve);
      else waiting.set(key, [resolve]);
    });

  /** Whoever is next takes over this one's turn, and its key goes to the end of the line. */
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

  return async (key, work) => {
    if (running >= atOnce) await wait(key);
    else running += 1;
    try {
      return await work();
    } finally {
      handOver();
    }
  };
};
