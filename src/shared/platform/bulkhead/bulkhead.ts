/** Whose work wants or holds a place: an account's, and within the account that of one key, such as a webhook. Ids of any form. */
export type Lane = { accountId: string; key: string };

/** A bounded number of places, which work that hangs cannot fill. */
export type Bulkhead = {
  /** Takes a place. False when the lane has its share already. */
  take: (lane: Lane) => boolean;
  /** Whether the account may take one more place, for a key that holds none. */
  hasRoom: (accountId: string) => boolean;
  /** Whether all places are taken. */
  isFull: () => boolean;
  /** Gives back a place that `take` has granted. */
  release: (lane: Lane) => void;
  /** How many places the key holds, or the average of its account's keys where that is more. */
  usualOf: (lane: Lane) => number;
  /** How many places the key and its account hold. */
  heldBy: (lane: Lane) => { key: number; account: number };
  readonly size: number;
};

export type BulkheadOptions = { total: number; perKey?: number };

/**
 * An account may hold as many places as are free for all, and a key as many as are left to its account. One account that hangs ends
 * with half of the places, two with a third each, and so on: the next account and the next key find a free place, however many
 * others hang. The bound adapts by itself: it needs no list of who is slow, and whoever is alone has half.
 */
export const createBulkhead = ({ total, perKey = total }: BulkheadOptions): Bulkhead => {
  const ofAccounts = createTally();
  const ofKeys = createTally();
  /** By account, its keys that hold any. */
  const holding = createTally();
  let held = 0;
  return {
    take: ({ accountId, key }) => {
      const leftToAccount = total - held - ofAccounts.of(accountId);
      if (ofKeys.of(key) >= Math.min(perKey, leftToAccount)) return false;
      held += 1;
      if (ofKeys.of(key) === 0) holding.add(accountId, 1);
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
      if (ofKeys.of(key) === 0) holding.add(accountId, -1);
    },
    usualOf: ({ accountId, key }) =>
      Math.max(ofKeys.of(key), ofAccounts.of(accountId) / Math.max(1, holding.of(accountId))),
    heldBy: ({ accountId, key }) => ({ key: ofKeys.of(key), account: ofAccounts.of(accountId) }),
    get size() {
      return held;
    },
  };
};

/** Counts by name, and forgets what is at zero. */
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
