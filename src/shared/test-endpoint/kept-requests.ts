import { keptAtMost, type KeptRequest } from './schema.ts';

/** The most that is kept of all accounts together, in bytes. */
const bytesOfAll = 64 * 1024 * 1024;

type Account = {
  /** Oldest first. */
  requests: { request: KeptRequest; bytes: number }[];
  bytes: number;
  /** When the latest requests were let in, in ms: at most `perSecond` of them. */
  admitted: number[];
  /** When requests were only answered, oldest first, by second. */
  notKept: { second: number; count: number }[];
};

/** The requests that came to the test endpoint, of each account. */
export type KeptRequests = {
  /** Whether a request of the account may be kept: it says no to more than 20 a second. */
  admit: (accountId: string) => boolean;
  add: (accountId: string, request: KeptRequest) => void;
  /** Newest first. */
  list: (accountId: string) => { requests: KeptRequest[]; notKept: number };
  find: (accountId: string, id: string) => KeptRequest | undefined;
  clear: (accountId: string) => void;
  /** Forgets what is older than an hour. */
  expire: () => void;
  stats: () => { accounts: number; requests: number; bytes: number };
};

/**
 * Keeps requests in memory: they last an hour, and a restart may lose them. Where all accounts together have too many, the oldest of the account
 * with the most goes.
 */
export const createKeptRequests = ({ now = Date.now, mostBytes = bytesOfAll } = {}): KeptRequests => {
  const accounts = new Map<string, Account>();
  let total = 0;

  const of = (accountId: string): Account => {
    const known = accounts.get(accountId);
    if (known) return known;
    const made: Account = { requests: [], bytes: 0, admitted: [], notKept: [] };
    accounts.set(accountId, made);
    return made;
  };
  const dropOldest = (account: Account): void => {
    const bytes = account.requests.shift()?.bytes ?? 0;
    account.bytes -= bytes;
    total -= bytes;
  };
  const expireOf = (accountId: string, account: Account): void => {
    const since = now() - keptAtMost.forMs;
    while ((account.requests[0]?.request.receivedAt.getTime() ?? Infinity) < since) dropOldest(account);
    while ((account.notKept[0]?.second ?? Infinity) * 1_000 < since) account.notKept.shift();
    const isIdle = (account.admitted.at(-1) ?? 0) < since;
    if (isIdle && account.requests.length === 0 && account.notKept.length === 0) accounts.delete(accountId);
  };

  return {
    admit: (accountId) => {
      const { admitted, notKept } = of(accountId);
      const at = now();
      const isFast = admitted.length >= keptAtMost.perSecond && at - (admitted[0] ?? 0) < 1_000;
      if (!isFast) {
        admitted.push(at);
        if (admitted.length > keptAtMost.perSecond) admitted.shift();
        return true;
      }
      const second = Math.floor(at / 1_000);
      const last = notKept.at(-1);
      if (last?.second === second) last.count += 1;
      else notKept.push({ second, count: 1 });
      return false;
    },
    add: (accountId, request) => {
      const account = of(accountId);
      const bytes = bytesOf(request);
      account.requests.push({ request, bytes });
      account.bytes += bytes;
      total += bytes;
      while (account.requests.length > keptAtMost.requests) dropOldest(account);
      for (let over = total - mostBytes; over > 0; over = total - mostBytes)
        dropOldest([...accounts.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most)));
    },
    list: (accountId) => {
      const account = accounts.get(accountId);
      if (!account) return { requests: [], notKept: 0 };
      expireOf(accountId, account);
      return {
        requests: account.requests.map(({ request }) => request).toReversed(),
        notKept: account.notKept.reduce((sum, { count }) => sum + count, 0),
      };
    },
    find: (accountId, id) => {
      const account = accounts.get(accountId);
      if (account) expireOf(accountId, account);
      return account?.requests.find(({ request }) => request.id === id)?.request;
    },
    clear: (accountId) => {
      const account = accounts.get(accountId);
      if (!account) return;
      while (account.requests.length > 0) dropOldest(account);
      account.notKept = [];
    },
    expire: () => {
      for (const [accountId, account] of accounts) expireOf(accountId, account);
    },
    stats: () => ({
      accounts: accounts.size,
      requests: [...accounts.values()].reduce((sum, { requests }) => sum + requests.length, 0),
      bytes: total,
    }),
  };
};

/** Roughly what a request takes, in bytes. Strings take up to two for a character. */
const bytesOf = ({ body, path, headers }: KeptRequest): number =>
  1_000 +
  2 * (body.length + path.length) +
  headers.reduce((sum, { name, value }) => sum + 100 + 2 * (name.length + value.length), 0);
