/** Does work for many items at a time. */
export type Batches<Item> = {
  add: (item: Item) => void;
  /** Resolves when nothing waits and nothing is under way. */
  drain: () => Promise<void>;
};

/**
 * Does `work` for all items that wait, `most` at a time. The next batch begins when the one before has ended, so that batches grow with
 * load, and an item alone does not wait. `work` handles its errors.
 */
export const createBatches = <Item>({
  most,
  work,
}: {
  most: number;
  work: (items: Item[]) => Promise<void>;
}): Batches<Item> => {
  let waiting: Item[] = [];
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    // What is added in the same turn of the event loop goes together.
    await Promise.resolve();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, most);
      waiting = waiting.slice(most);
      await work(batch);
    }
    // Nothing is awaited in between, so that nothing is added unseen.
    running = undefined;
  };
  return {
    add: (item) => {
      waiting.push(item);
      running ??= run();
    },
    drain: async () => {
      await running;
    },
  };
};
