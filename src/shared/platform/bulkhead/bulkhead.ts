/** Who wants or holds a place: ids of any form, the same one for the same webhook and account. */
export type Holder = { accountId: string; webhookId: string };

/** A bounded number of places that whoever hangs cannot fill. */
export type Bulkhead = {
  /** Takes a place; false when the holder has its share already. */
  take: (holder: Holder) => boolean;
  /** Whether the account may take another, for a webhook of its that holds none. */
  hasRoom: (accountId: string) => boolean;
  /** Whether nobody may take another. */
  isFull: () => boolean;
  /** Gives a place back that `take` has granted. */
  release: (holder: Holder) => void;
  /** Places that a webhook holds, or those of its account hold on average where that is more. */
  usualOf: (holder: Holder) => number;
  readonly size: number;
};

export type BulkheadOptions = { total: number; perWebhook?: number };

/**
 * No account holds more places than are left free for all, and no webhook more than are left for its account. One that
 * hangs ends with half of them, two with a third each, and so on: the next account and the next webhook find one free,
 * however many others hang. A bound that adapts needs no list of who is slow, and lets who is alone have half.
 */
export const createBulkhead = ({ total, perWebhook = total }: BulkheadOptions): Bulkhead => {
  const ofAccounts = createTally();
  const ofWebhooks = createTally();
  /** By account, its webhooks that hold any. */
  const holding = createTally();
  let held = 0;
  return {
    take: ({ accountId, webhookId }) => {
      const leftToAccount = total - held - ofAccounts.of(accountId);
      if (ofWebhooks.of(webhookId) >= Math.min(perWebhook, leftToAccount)) return false;
      held += 1;
      if (ofWebhooks.of(webhookId) === 0) holding.add(accountId, 1);
      ofAccounts.add(accountId, 1);
      ofWebhooks.add(webhookId, 1);
      return true;
    },
    hasRoom: (accountId) => total - held - ofAccounts.of(accountId) > 0,
    isFull: () => held >= total,
    release: ({ accountId, webhookId }) => {
      held -= 1;
      ofAccounts.add(accountId, -1);
      ofWebhooks.add(webhookId, -1);
      if (ofWebhooks.of(webhookId) === 0) holding.add(accountId, -1);
    },
    usualOf: ({ accountId, webhookId }) =>
      Math.max(ofWebhooks.of(webhookId), ofAccounts.of(accountId) / Math.max(1, holding.of(accountId))),
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
