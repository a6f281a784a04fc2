/** Whose work it is that wants or holds a place: an account's, and within it that of one key, such as a webhook; ids of any form. */
export type Lane = { accountId: string; key: string };

/** A bounded number of places that whoever hangs cannot fill. */
export type Bulkhead = {
  /** Takes a place; false when the lane has its share already. */
  take: (lane: Lane) => boolean;
  /** Whether the account may take another, for a key of its that holds none. */
  hasRoom: (accountId: string) => boolean;
  /** Whether nobody may take another. */
  isFull: () => boolean;
  /** Gives a place back that `take` has granted. */
  release: (lane: Lane) => void;
  /** Places that a key holds, or those of its account hold on average where that is more. */
  usualOf: (lane: Lane) => number;
  readonly size: number;
};

export type BulkheadOptions = { total: number; perKey?: number };

/**
 * No account holds more places than are left free for all, and no key more than are left for its account. One that
 * hangs ends with half of them, two with a third each, and so on: the next account and the next key find one free,
 * however many others hang. A bound that adapts needs no list of who is slow, and lets who is alone have half.
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
