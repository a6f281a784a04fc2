import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom something is done: an account's UUID, and what is locked first, if callers can have many wait for it. */
export type Asker = {
  accountId: string;
  line?: string | undefined;
  /** How long it waits for its place, in ms, where that is not as long as anybody else. */
  patienceMs?: number;
};

const asking = new AsyncLocalStorage<Asker>();

/**
 * Does `work` for this account. Every transaction that it begins, however deep, takes its place from the account's share: nobody has to hand the
 * account through, and none can be forgotten.
 */
export const askAs = <Result>(asker: Asker, work: () => Result): Result => asking.run(asker, work);

/**
 * Has the transactions of `work` stand in this line of their account: one at a time in this process, so that at most one of them waits for the
 * lock that the line is named after (`contact/<uuid>`). None stands in two lines.
 */
export const inLine = <Result>(line: string | undefined, work: () => Result): Result => {
  const asker = asking.getStore();
  return asker && line !== undefined ? asking.run({ ...asker, line }, work) : work();
};

/** Does for nobody what others will use as well, such as a loop that goes on after the request that began it. */
export const asNobody = <Result>(work: () => Result): Result => asking.exit(work);

/** For whom the present code runs; nobody's work has one share together. */
export const whoAsks = (): Asker => asking.getStore() ?? { accountId: '' };
