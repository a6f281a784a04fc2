/** Does one piece of work for many who ask at about the same time. */
export type Gathering<Item, Answer> = {
  /** The answer for an item, which is this account's. Rejects with what the work for its batch has thrown. */
  ask: (accountId: string, item: Item) => Promise<Answer>;
};

type Asked<Item, Answer> = { item: Item } & Pick<PromiseWithResolvers<Answer>, 'resolve' | 'reject'>;

/**
 * Does the work for the items that wait, `most` at a time, with `atOnce` batches under way. An item alone does not wait: the others gather while
 * batches are under way, so that these grow with load. Each account that waits has one item in a batch before any has its second. Items of the same
 * `key` are never in two batches under way.
 */
export const createGathering = <Item, Answer>({
  most,
  atOnce,
  key,
  one,
  many,
}: {
  most: number;
  atOnce: number;
  key?: (item: Item) => string;
  /** The work for an item that is alone, where that has a shorter way. */
  one?: (item: Item) => Promise<Answer>;
  many: (items: readonly Item[]) => Promise<(item: Item) => Answer>;
}): Gathering<Item, Answer> => {
  const waiting = new Map<string, Asked<Item, Answer>[]>();
  const busy = new Set<string>();
  let underWay = 0;

  const isFree = ({ item }: { item: Item }): boolean => !key || !busy.has(key(item));

  const takeBatch = (): Asked<Item, Answer>[] => {
    const batch: Asked<Item, Answer>[] = [];
    // An account with more to ask goes to the end of the Map, where this finds it again.
    for (const [accountId, line] of waiting) {
      if (batch.length === most) break;
      const at = line.findIndex(isFree);
      if (at < 0) continue;
      const [next] = line.splice(at, 1);
      waiting.delete(accountId);
      if (line.length > 0) waiting.set(accountId, line);
      if (next) batch.push(next);
    }
    for (const { item } of batch) if (key) busy.add(key(item));
    return batch;
  };

  const run = async (): Promise<void> => {
    // What is asked in the same turn of the event loop goes together.
    await Promise.resolve();
    while (waiting.size > 0) {
      const batch = takeBatch();
      // What waits is of keys under way: the batch that has them takes it next.
      if (batch.length === 0) break;
      try {
        const [first, ...others] = batch;
        if (one && first && others.length === 0) first.resolve(await one(first.item));
        else {
          const answerTo = await many(batch.map(({ item }) => item));
          for (const { item, resolve } of batch) resolve(answerTo(item));
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      } finally {
        for (const { item } of batch) if (key) busy.delete(key(item));
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
