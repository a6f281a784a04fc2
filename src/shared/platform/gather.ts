/** Does one piece of work for many who ask at about the same time. */
export type Gathering<Item, Answer> = {
  /** The answer for an item, which is this account's. Rejects with what the work for its batch has thrown. */
  ask: (accountId: string, item: Item) => Promise<Answer>;
};

type Asked<Item, Answer> = { item: Item } & Pick<PromiseWithResolvers<Answer>, 'resolve' | 'reject'>;

/**
 * Does the work for the items that wait, `most` at a time, with `atOnce` batches under way. An item alone does not wait: the others gather while
 * batches are under way, so that these grow with load. Each account that waits has one item in a batch before any has its second.
 */
export const createGathering = <Item, Answer>({
  most,
  atOnce,
  one,
  many,
}: {
  most: number;
  atOnce: number;
  /** The work for an item that is alone, where that has a shorter way. */
  one?: (item: Item) => Promise<Answer>;
  many: (items: readonly Item[]) => Promise<(item: Item) => Answer>;
}): Gathering<Item, Answer> => {
  const waiting = new Map<string, Asked<Item, Answer>[]>();
  let underWay = 0;

  const takeBatch = (): Asked<Item, Answer>[] => {
    const batch: Asked<Item, Answer>[] = [];
    // An account with more to ask goes to the end of the Map, where this finds it again.
    for (const [accountId, line] of waiting) {
      if (batch.length === most) break;
      const next = line.shift();
      waiting.delete(accountId);
      if (line.length > 0) waiting.set(accountId, line);
      if (next) batch.push(next);
    }
    return batch;
  };

  const run = async (): Promise<void> => {
    // What is asked in the same turn of the event loop goes together.
    await Promise.resolve();
    while (waiting.size > 0) {
      const batch = takeBatch();
      try {
        const [first, ...others] = batch;
        if (one && first && others.length === 0) first.resolve(await one(first.item));
        else {
          const answerTo = await many(batch.map(({ item }) => item));
          for (const { item, resolve } of batch) resolve(answerTo(item));
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    // Nothing is awaited in between, so that nothing is asked unseen.
    underWay -= 1;
  };

  return {
    ask: (accountId, item) => {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      const asked = { item, resolve, reject };
      const line = waiting.get(accountId);
      if (line) line.push(asked);
      else waiting.set(accountId, [asked]);
      if (underWay < atOnce) {
        underWay += 1;
        void run();
      }
      return promise;
    },
  };
};
