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
  /** The most work that waits at once, shared among accounts as the places are; any number when not given. */
  waitingInAll?: number;
  /** Hears of each that was refused. */
  onRefused?: ((taken: NoPlace['taken']) => void) | undefined;
};

/** Of one piece of work. */
type TakeOptions = {
  /** Its own patience, in ms. */
  patienceMs?: number | undefined;
  /** Whether it goes behind the rest of its lane, as what is done in bulk does. */
  behind?: boolean | undefined;
  /** Whether it waits however much waits already, because what it is part of has begun. */
  waitsAlways?: boolean | undefined;
};

/** Places that accounts share (see `createBulkhead`), and lines for those that wait for one. */
export type Shares = {
  /** Does `work` when its lane has a place, which is free again when `work` has ended. Throws `NoPlace` when its patience is over. */
  take: <Result>(lane: Lane, work: () => Promise<Result>, options?: TakeOptions) => Promise<Result>;
  /** How much work waits for a place: all, or that of one lane. */
  waiting: (lane?: Lane) => number;
  /** Refuses all work that waits, and from now on all that would. */
  close: () => void;
};

type Waiter = { admit: () => void; refuse: () => void };

type Line = { first: Set<Waiter>; behind: Set<Waiter> };

/** Of those that wait, each account is served before any is served twice, and within an account each key. */
export const createShares = ({
  total,
  perKey = total,
  patienceMs: patienceOfAllMs,
  waitingPerAccount = Infinity,
  waitingInAll = Infinity,
  onRefused = () => {},
}: SharesOptions): Shares => {
  const places = createBulkhead({ total, perKey });
  const room = createBulkhead({ total: waitingInAll });
  const lines = createLines();
  let closed = false;

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

  const hasRoom = (lane: Lane): boolean => lines.ofAccount(lane.accountId) < waitingPerAccount && room.take(lane);

  const wait = (lane: Lane, { patienceMs, behind = false, waitsAlways = false }: TakeOptions): Promise<void> => {
    if (closed || !(waitsAlways || hasRoom(lane))) throw refuse(lane);
    return new Promise((resolve, reject) => {
      const endWaiting = (): void => {
        clearTimeout(patience);
        if (!waitsAlways) room.release(lane);
      };
      const waiter: Waiter = {
        admit: () => {
          endWaiting();
          resolve();
        },
        refuse: () => {
          endWaiting();
          lines.leave(lane, waiter);
          reject(refuse(lane));
        },
      };
      const patience = patienceMs === undefined ? undefined : setTimeout(waiter.refuse, patienceMs);
      lines.join(lane, waiter, behind);
    });
  };

  return {
    take: async (lane, work, options = {}) => {
      if (!places.take(lane)) await wait(lane, { patienceMs: patienceOfAllMs, ...options });
      try {
        return await work();
      } finally {
        places.release(lane);
        serveWaiting();
      }
    },
    waiting: (lane) => (lane ? lines.ofLane(lane) : lines.size()),
    close: () => {
      closed = true;
      for (const waiter of lines.all()) waiter.refuse();
    },
  };
};

/** Those that wait, by account and key. */
const createLines = () => {
  const accounts = new Map<string, { waiting: number; keys: Map<string, Line> }>();
  let size = 0;

  const lineOf = ({ accountId, key }: Lane): Line | undefined => accounts.get(accountId)?.keys.get(key);

  const leave = (lane: Lane, waiter: Waiter): void => {
    const account = accounts.get(lane.accountId);
    const line = lineOf(lane);
    if (!account || !line || !(line.first.delete(waiter) || line.behind.delete(waiter))) return;
    size -= 1;
    account.waiting -= 1;
    if (sizeOf(line) === 0) account.keys.delete(lane.key);
    if (account.waiting === 0) accounts.delete(lane.accountId);
  };

  return {
    size: () => size,
    ofAccount: (accountId: string) => accounts.get(accountId)?.waiting ?? 0,
    ofLane: (lane: Lane) => sizeOf(lineOf(lane)),
    /** Those of which any waits now. Whoever is served goes to the end. */
    accounts: () => [...accounts.keys()],
    all: () =>
      [...accounts.values()].flatMap(({ keys }) =>
        [...keys.values()].flatMap((line) => [...line.first, ...line.behind]),
      ),
    join: ({ accountId, key }: Lane, waiter: Waiter, behind: boolean): void => {
      const account = accounts.get(accountId) ?? { waiting: 0, keys: new Map<string, Line>() };
      accounts.set(accountId, account);
      const line = account.keys.get(key) ?? { first: new Set(), behind: new Set() };
      account.keys.set(key, line);
      (behind ? line.behind : line.first).add(waiter);
      account.waiting += 1;
      size += 1;
    },
    leave,
    /** The first of the account whose key `take` lets in, which leaves the line. */
    next: (accountId: string, take: (key: string) => boolean): Waiter | undefined => {
      const account = accounts.get(accountId);
      for (const [key, line] of account?.keys ?? []) {
        const [next] = line.first.size > 0 ? line.first : line.behind;
        if (!account || !next || !take(key)) continue;
        leave({ accountId, key }, next);
        // To the end, behind the other keys, and the account behind the other accounts.
        if (account.keys.delete(key) && sizeOf(line) > 0) account.keys.set(key, line);
        if (accounts.delete(accountId)) accounts.set(accountId, account);
        return next;
      }
      return undefined;
    },
  };
};

const sizeOf = (line: Line | undefined): number => (line ? line.first.size + line.behind.size : 0);
