import { createBulkhead, type Lane } from './bulkhead.ts';

/** No place came free in time, or too many wait already: for one line of the account, for one of the account, or for any. */
export class NoPlace extends Error {
  readonly taken: 'line' | 'account' | 'all';

  constructor(taken: NoPlace['taken']) {
    super(`no place came free in time: ${taken}`);
    this.name = 'NoPlace';
    this.taken = taken;
  }
}

export type SharesOptions = {
  total: number;
  /** The most places of one key. */
  perKey?: number;
  /** How long work waits for a place, in ms; for ever when not given. */
  patienceMs?: number;
  /** The most work of one account that waits at once; any number when not given. */
  waitingPerAccount?: number;
  /** Hears of each that was refused. */
  onRefused?: ((taken: NoPlace['taken']) => void) | undefined;
};

/** Places that accounts share (see `createBulkhead`), and lines for those that wait for one. */
export type Shares = {
  /**
   * Does `work` when its lane has a place, which is free again when `work` has ended. Throws `NoPlace` after `patienceMs`, which is that of all
   * unless told.
   */
  take: <Result>(lane: Lane, work: () => Promise<Result>, patienceMs?: number) => Promise<Result>;
  /** How much work waits for a place. */
  waiting: () => number;
};

type Waiter = { admit: () => void };

/** Of those that wait, each account is served before any is served twice, and within an account each key. */
export const createShares = ({
  total,
  perKey = total,
  patienceMs: usualPatienceMs,
  waitingPerAccount = Infinity,
  onRefused = () => {},
}: SharesOptions): Shares => {
  const places = createBulkhead({ total, perKey });
  const lines = createLines();

  const serveWaiting = (): void => {
    for (const accountId of lines.accounts()) {
      if (places.isFull()) return;
      if (places.hasRoom(accountId)) lines.next(accountId, (key) => places.take({ accountId, key }))?.admit();
    }
  };

  const refuse = (lane: Lane): NoPlace => {
    const held = places.heldBy(lane);
    const refused = new NoPlace(held.key >= perKey ? 'line' : held.account > 0 ? 'account' : 'all');
    onRefused(refused.taken);
    return refused;
  };

  const wait = (lane: Lane, patienceMs: number | undefined): Promise<void> => {
    if (lines.of(lane.accountId) >= waitingPerAccount) throw refuse(lane);
    return new Promise((resolve, reject) => {
      const lose = () => {
        lines.leave(lane, waiter);
        reject(refuse(lane));
      };
      const patience = patienceMs === undefined ? undefined : setTimeout(lose, patienceMs);
      const waiter = {
        admit: () => {
          clearTimeout(patience);
          resolve();
        },
      };
      lines.join(lane, waiter);
    });
  };

  return {
    take: async (lane, work, patienceMs = usualPatienceMs) => {
      if (!places.take(lane)) await wait(lane, patienceMs);
      try {
        return await work();
      } finally {
        places.release(lane);
        serveWaiting();
      }
    },
    waiting: () => lines.size(),
  };
};

/** Those that wait, by account and key. */
const createLines = () => {
  const accounts = new Map<string, { waiting: number; keys: Map<string, Set<Waiter>> }>();
  let size = 0;

  const leave = ({ accountId, key }: Lane, waiter: Waiter): void => {
    const account = accounts.get(accountId);
    const line = account?.keys.get(key);
    if (!account || !line?.delete(waiter)) return;
    size -= 1;
    account.waiting -= 1;
    if (line.size === 0) account.keys.delete(key);
    if (account.waiting === 0) accounts.delete(accountId);
  };

  return {
    size: () => size,
    of: (accountId: string) => accounts.get(accountId)?.waiting ?? 0,
    /** Those of which any waits now. Whoever is served goes to the end. */
    accounts: () => [...accounts.keys()],
    join: ({ accountId, key }: Lane, waiter: Waiter): void => {
      const account = accounts.get(accountId) ?? { waiting: 0, keys: new Map() };
      accounts.set(accountId, account);
      account.keys.set(key, (account.keys.get(key) ?? new Set<Waiter>()).add(waiter));
      account.waiting += 1;
      size += 1;
    },
    leave,
    /** The first of the account whose key `take` lets in, which leaves the line. */
    next: (accountId: string, take: (key: string) => boolean): Waiter | undefined => {
      const account = accounts.get(accountId);
      for (const [key, line] of account?.keys ?? []) {
        const [first] = line;
        if (!account || !first || !take(key)) continue;
        leave({ accountId, key }, first);
        // To the end, behind the other keys, and the account behind the other accounts.
        if (account.keys.delete(key) && line.size > 0) account.keys.set(key, line);
        if (accounts.delete(accountId)) accounts.set(accountId, account);
        return first;
      }
      return undefined;
    },
  };
};
