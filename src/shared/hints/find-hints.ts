import { topicNames, type Topic } from '../facts/topics.ts';
import { parseId, showId } from '../ids.ts';
import type { Sql } from '../platform/db/connect.ts';
import {
  changesAmongDeliveries,
  changesOfDeliveries,
  changesOfEvents,
  changesOfMessages,
  deliveriesInProgress,
  followedPerAccount,
  lookAtLists,
} from './changes.ts';
import { contentsByAccount, differences, type Contents } from './contents.ts';
import { idsPerHint, topics, type Hint } from './schema.ts';
import { takeSnapshot, type Snapshot, type Window } from './snapshots.ts';

/** Hints by account, a UUID. */
export type HintsByAccount = ReadonlyMap<string, readonly Hint[]>;

export type HintFinder = {
  /** Takes up an account: whatever its caller reads afterwards and changes then is told by `find`. */
  follow: (accountId: string) => Promise<void>;
  /** What has changed for the accounts since the call before, at most one hint of each topic. Accounts that are not named are forgotten. */
  find: (accountIds: readonly string[]) => Promise<HintsByAccount>;
  /** Forgets everything, so that nothing is read while nobody listens. */
  rest: () => void;
};

/** How many accounts one statement reads: it takes milliseconds. */
const accountsAtOnce = 50;

/**
 * How much further back than the look before is looked, in seconds: a success is recorded a while after it was answered, and most messages are sent
 * in ten seconds.
 */
const successesSeconds = 30;
const messagesSeconds = 10;

/** What a message is told as. */
const ofMessages = ['messages', 'conversations', 'contacts'] as const satisfies readonly Topic[];

/** With more in progress than are followed, the others may change unseen. So often, in calls of `find`, that is told as a change. */
const unseenEvery = 5;

/**
 * Finds what changed by reading, and remembers only the last snapshot, which deliveries were in progress, and a number for each list
 * (docs/decisions/0022).
 */
export const createHintFinder = (sql: Sql): HintFinder => {
  let last: { snapshot: Snapshot; atMs: number } | undefined;
  const followed = new Map<string, ReadonlySet<string>>();
  const contents = new Map<string, Contents>();
  let calls = 0;

  /** Follows what is in progress, and answers what of it has changed. */
  const readInProgress = async (accountIds: readonly string[], window?: Window) => {
    const rows = await deliveriesInProgress(sql, accountIds, window);
    const ofAccount = Map.groupBy(rows, ({ accountId }) => accountId);
    for (const accountId of accountIds) followed.set(accountId, new Set(ofAccount.get(accountId)?.map(({ id }) => id)));
    return rows.filter(({ isNew }) => isNew);
  };

  /** What is read of an account before anything of it can have changed. */
  const takeUp = async (accountIds: readonly string[]): Promise<void> => {
    const [looks] = await Promise.all([lookAtLists(sql, accountIds), readInProgress(accountIds)]);
    for (const [accountId, its] of contentsByAccount(accountIds, looks)) contents.set(accountId, its);
  };

  const forget = (accountId: string): void => {
    followed.delete(accountId);
    contents.delete(accountId);
  };

  const readChanges = async (
    accountIds: readonly string[],
    since: { snapshot: Snapshot; now: Snapshot; ageMs: number },
  ) => {
    const window = { before: since.snapshot, now: since.now };
    const inProgress = accountIds.flatMap((accountId) => [...(followed.get(accountId) ?? [])]);
    const found = createGathering();
    const ageSeconds = since.ageMs / 1000;
    const [lists, deliveries, ended, events, [messages]] = await Promise.all([
      lookAtLists(sql, accountIds, window),
      changesOfDeliveries(sql, accountIds, { window, sinceSeconds: ageSeconds + successesSeconds }),
      changesAmongDeliveries(sql, inProgress, window),
      changesOfEvents(sql, accountIds, window),
      changesOfMessages(sql, accountIds, { window, sinceSeconds: ageSeconds + messagesSeconds }),
    ]);
    for (const { accountId, topic, changed } of lists) for (const id of changed) found.add(accountId, topic, id);
    for (const { accountId, topic, id } of [...deliveries, ...ended]) found.add(accountId, topic, id);
    for (const { accountId, id, contactId, orderId } of events) {
      found.add(accountId, 'events', id);
      if (contactId !== null) found.add(accountId, 'contacts', contactId);
      const order = orderId === null ? undefined : parseId('order', orderId);
      if (order !== undefined) found.add(accountId, 'orders', order);
    }
    for (const { accountId, id, conversationId, contactId } of messages.changed) {
      found.add(accountId, 'messages', id);
      found.add(accountId, 'conversations', conversationId);
      found.add(accountId, 'contacts', contactId);
    }
    if (messages.isCut)
      for (const accountId of accountIds) for (const topic of ofMessages) found.addUnknown(accountId, topic);
    const inLists = contentsByAccount(accountIds, lists);
    // A topic that is told already is read again in any case: a hint of its own is for what has gone.
    for (const [accountId, its] of inLists)
      for (const topic of differences(contents.get(accountId) ?? its, its))
        if (!found.has(accountId, topic)) found.addUnknown(accountId, topic);
    // After the changes: what ends between the two reads was followed already, or is told by the next call.
    for (const { accountId, id } of await readInProgress(accountIds, window)) found.add(accountId, 'deliveries', id);
    for (const accountId of accountIds) {
      const isFull = (followed.get(accountId)?.size ?? 0) > followedPerAccount;
      if (isFull && (calls % unseenEvery === 0 || found.has(accountId, 'deliveries')))
        found.addUnknown(accountId, 'deliveries');
    }
    return { hints: found.hints(), inLists };
  };

  return {
    follow: async (accountId) => {
      if (followed.has(accountId) && last) return;
      last ??= { snapshot: await takeSnapshot(sql), atMs: performance.now() };
      await takeUp([accountId]);
    },
    find: async (accountIds) => {
      calls += 1;
      const before = last;
      const now = { snapshot: await takeSnapshot(sql), atMs: performance.now() };
      for (const accountId of followed.keys()) if (!accountIds.includes(accountId)) forget(accountId);
      // The database was replaced by one that is behind, such as a backup: nobody knows what has changed.
      if (!before || now.snapshot.xmax < before.snapshot.xmax) {
        last = now;
        await takeUp(accountIds);
        return new Map(accountIds.map((accountId) => [accountId, hintsOfAll]));
      }
      const isQuiet = now.snapshot.text === before.snapshot.text;
      if (isQuiet && accountIds.every((accountId) => followed.has(accountId))) return new Map();
      const since = { snapshot: before.snapshot, now: now.snapshot, ageMs: now.atMs - before.atMs };
      const hints = new Map<string, readonly Hint[]>();
      const inLists = new Map<string, Contents>();
      for (let index = 0; index < accountIds.length; index += accountsAtOnce) {
        const some = await readChanges(accountIds.slice(index, index + accountsAtOnce), since);
        for (const [accountId, told] of some.hints) hints.set(accountId, told);
        for (const [accountId, its] of some.inLists) inLists.set(accountId, its);
      }
      // Only now: after a failure the next call tells what this one did not.
      last = now;
      for (const [accountId, its] of inLists) contents.set(accountId, its);
      return hints;
    },
    rest: () => {
      last = undefined;
      followed.clear();
      contents.clear();
    },
  };
};

const hintsOfAll: readonly Hint[] = topicNames.map((topic) => ({ topic, ids: [], more: true }));

/** Changes by account and topic, each id once. */
const createGathering = () => {
  const accounts = new Map<string, Map<Topic, Set<string>>>();
  const unknown = new Set<string>();
  const of = (accountId: string, topic: Topic): Set<string> => {
    const ofAccount = accounts.get(accountId) ?? new Map<Topic, Set<string>>();
    accounts.set(accountId, ofAccount);
    const ids = ofAccount.get(topic) ?? new Set<string>();
    ofAccount.set(topic, ids);
    return ids;
  };
  return {
    add: (accountId: string, topic: Topic, id: string): void => void of(accountId, topic).add(id),
    addUnknown: (accountId: string, topic: Topic): void => {
      of(accountId, topic);
      unknown.add(`${accountId} ${topic}`);
    },
    has: (accountId: string, topic: Topic): boolean => accounts.get(accountId)?.has(topic) === true,
    hints: (): HintsByAccount =>
      new Map(
        Array.from(accounts, ([accountId, ofAccount]) => [
          accountId,
          Array.from(ofAccount, ([topic, ids]) => ({
            topic,
            ids: [...ids].slice(0, idsPerHint).map((id) => showId(topics[topic].noun, id)),
            more: ids.size > idsPerHint || unknown.has(`${accountId} ${topic}`),
          })),
        ]),
      ),
  };
};
