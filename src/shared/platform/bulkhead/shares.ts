import { createBulkhead, type Lane } from './bulkhead.ts';

/** No slot came free in time, or too much work waits: in one line, in its account, or in all. */
export class NoSlot extends Error {
  readonly taken: 'line' | 'account' | 'all';

  constructor(taken: NoSlot['taken']) {
    super(`no slot came free in time: ${taken}`);
    this.name = 'NoSlot';
    this.taken = taken;
  }
}

export type SharesOptions = {
  total: number;
  perKey?: number;
  /** The longest wait, in ms; for ever when not given. */
  patienceMs?: number;
  waitingPerAccount?: number;
  /** The most work that waits, shared among accounts as slots are; any amount when not given. */
  waitingInAll?: number;
  onRefused?: ((taken: NoSlot['taken']) => void) | undefined;
};

type TakeOptions = {
  patienceMs?: number | undefined;
  /** Puts bulk work behind the rest of its lane. */
  behind?: boolean | undefined;
  /** The most work behind the rest of its lane; any amount when not given. */
  mostBehind?: number | undefined;
  /** Admits work to the line however long that is, because what it is part of has begun. */
  waitsAlways?: boolean | undefined;
};

/** Slots that accounts share (see `createBulkhead`), and a line for each lane that waits for one. */
export type Shares = {
  /** Does `work` once its lane has a slot, and frees the slot afterwards. Throws `NoSlot`. */
  take: <Result>(lane: Lane, work: () => Promise<Result>, options?: TakeOptions) => Promise<Result>;
  /** The amount of work that waits: of one lane, or all. */
  waiting: (lane?: Lane) => number;
  /** Refuses all work that waits, now and from now on. */
  close: () => void;
};

type Waiter = { admit: () => void; refuse: () => void };

type Line = { first: Set<Waiter>; behind: Set<Waiter> };

/** Each account that waits is served before any is served twice, and within an account each key. */
export const createShares = ({
  total,
  perKey = total,
  patienceMs: patienceOfAllMs,
  waitingPerAccount = Infinity,
  waitingInAll = Infinity,
  onRefused = () => {},
}: SharesOptions): Shares => {
  const slots = createBulkhead({ total, perKey });
  const room = createBulkhead({ total: waitingInAll });
  const lines = createLines();
  let closed = false;

  const serveWaiting = (): void => {
    for (const accountId of lines.accounts()) {
      if (slots.isFull()) return;
      if (slots.hasRoom(accountId)) lines.next(accountId, (key) => slots.take({ accountId, key }))?.admit();
    }
  };

  const refuse = (lane: Lane): NoSlot => {
    const held = slots.heldBy(lane);
    const refused = new NoSlot(held.key >= perKey ? 'line' : held.account > 0 ? 'account' : 'all');
    onRefused(refused.taken);
    return refused;
  };

  const hasRoom = (lane: Lane, { behind, mostBehind = Infinity }: TakeOptions): boolean =>
    (!behind || lines.behind(lane) < mostBehind) &&
    lines.ofAccount(lane.accountId) < waitingPerAccount &&
    room.take(lane);

  const wait = (lane: Lane, options: TakeOptions): Promise<void> => {
    const { patienceMs, behind = false, waitsAlways = false } = options;
    if (closed || !(waitsAlways || hasRoom(lane, options))) throw refuse(lane);
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
      if (!slots.take(lane)) await wait(lane, { patienceMs: patienceOfAllMs, ...options });
      try {
        return await work();
      } finally {
        slots.release(lane);
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
    behind: (lane: Lane) => lineOf(lane)?.behind.size ?? 0,
    /** Copies the accounts, because serving one moves it to the end. */
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
    /** Removes the account's first waiter whose key gets a slot by `take`. */
    next: (accountId: string, take: (key: string) => boolean): Waiter | undefined => {
      const account = accounts.get(accountId);
      for (const [key, line] of account?.keys ?? []) {
        const [next] = line.first.size > 0 ? line.first : line.behind;
        if (!account || !next || !take(key)) continue;
        leave({ accountId, key }, next);
        // Maps keep the order of insertion: key and account go behind all others.
        if (account.keys.delete(key) && sizeOf(line) > 0) account.keys.set(key, line);
        if (accounts.delete(accountId)) accounts.set(accountId, account);
        return next;
      }
      return undefined;
    },
  };
};

const sizeOf = (line: Line | undefined): number => (line ? line.first.size + line.behind.size : 0);
