import { AsyncLocalStorage } from 'node:async_hooks';

/** The account, by its UUID, that a transaction writes for, and its line, named after the lock that it takes first. */
export type Asker = {
  accountId: string;
  line?: string | undefined;
  /** The longest wait for a slot, in ms; that of all others when not given. */
  patienceMs?: number;
};

const asking = new AsyncLocalStorage<Asker>();

/** Does `work` for this account: each transaction in it, however deep, takes its slot from the account's share. */
export const askAs = <Result>(asker: Asker, work: () => Result): Result => asking.run(asker, work);

/** Runs the transactions of `work` one at a time in this process, so that one of them at most waits for their line's lock (`contact/<uuid>`). */
export const inLine = <Result>(line: string | undefined, work: () => Result): Result => {
  const asker = asking.getStore();
  return asker && line !== undefined ? asking.run({ ...asker, line }, work) : work();
};

/** Does work for no account, such as a loop that serves all accounts and outlives the request that began it. */
export const asNobody = <Result>(work: () => Result): Result => asking.exit(work);

/** The account that the present code runs for; all work for no account has one share. */
export const whoAsks = (): Asker => asking.getStore() ?? { accountId: '' };
