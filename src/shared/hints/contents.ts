import type { ListLook } from './changes.ts';
import type { Topic } from '../facts/topics.ts';

/** By topic, what stands for the rows that are in an account's lists: a row that has gone leaves nothing else to be found by. */
export type Contents = ReadonlyMap<Topic, string>;

/** What each of the accounts, UUIDs, has in its lists. */
export const contentsByAccount = (
  accountIds: readonly string[],
  looks: readonly ListLook[],
): ReadonlyMap<string, Contents> => {
  const ofAccount = Map.groupBy(looks, ({ accountId }) => accountId);
  return new Map(
    accountIds.map((accountId) => [
      accountId,
      new Map(ofAccount.get(accountId)?.map(({ topic, contents }) => [topic, contents])),
    ]),
  );
};

/** The topics whose lists have others in them than before. */
export const differences = (before: Contents, now: Contents): Topic[] =>
  [...new Set([...before.keys(), ...now.keys()])].filter((topic) => before.get(topic) !== now.get(topic));
