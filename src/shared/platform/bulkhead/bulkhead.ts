/** An account, and a key within it, such as a webhook. Ids of any form. */
export type Lane = { accountId: string; key: string };

/** A bounded number of slots, which work that hangs cannot fill. */
export type Bulkhead = {
  /** Takes a slot. False when the lane has its share already. */
  take: (lane: Lane) => boolean;
  /** Whether the account may take one more slot, for a key that holds none. */
  hasRoom: (accountId: string) => boolean;
  isFull: () => boolean;
  release: (lane: Lane) => void;
  /** The slots that the key holds, or the average of its account's keys where that is more. */
  fairShareOf: (lane: Lane) => number;
  heldBy: (lane: Lane) => { key: number; account: number };
  readonly size: number;
};

export type BulkheadOptions = { total: number; perKey?: number };

/**
 * An account may hold as many slots as are free, and a key as many as are left to its account. An account alone ends with half of them (a third
 * with a single key), two with a third each: the next account and the next key always find a free slot, however many others hang.
 */
export const createBulkhead = ({ total, perKey = total }: BulkheadOptions): Bulkhead => {
  const ofAccounts = createTally();
  const ofKeys = createTally();
  const keysHolding = createTally();
  let held = 0;
  return {
    take: ({ accountId, key }) => {
      const leftToAccount = total - held - ofAccounts.of(accountId);
      if (ofKeys.of(key) >= Math.min(perKey, leftToAccount)) return false;
      held += 1;
      if (ofKeys.of(key) === 0) keysHolding.add(accountId, 1);
      ofAccounts.add(accountId, 1);
      ofKeys.add(key, 1);
      return true;
    },
    hasRoom: (accountId) => total - held - ofAccounts.of(accountId) > 0,
    isFull: () => held >= total,
    release: ({ accountId, key }) => {
      held -= 1;
      ofAccounts.add(accountId, -1);
      ofKeys.add(key, -1);
      if (ofKeys.of(key) === 0) keysHolding.add(accountId, -1);
    },
    fairShareOf: ({ accountId, key }) =>
      Math.max(ofKeys.of(key), ofAccounts.of(accountId) / Math.max(1, keysHolding.of(accountId))),
    heldBy: ({ accountId, key }) => ({ key: ofKeys.of(key), account: ofAccounts.of(accountId) }),
    get size() {
      return held;
    },
  };
};

/** Counts by name, and forgets names at zero, so that ids of former accounts take no memory. */
const createTally = () => {
  const counts = new Map<string, number>();
  const of = (name: string): number => counts.get(name) ?? 0;
  return {
    of,
    add: (name: string, change: 1 | -1): void => {
      const count = of(name) + change;
      if (count === 0) counts.delete(name);
      else counts.set(name, count);
    },
  };
};
