import { z } from 'zod';
import { topicNames, type Topic } from '../facts/topics.ts';
import type { Changed } from './gather-topics.ts';
import { parseOrNothing } from '../platform/json/parse-or-nothing.ts';

/** The channel of notifications on which processes tell each other. */
export const channel = 'parley_hints';

/** PostgreSQL takes payloads below 8,000 bytes. */
const payloadBytes = 7_900;

/** The most notifications of a hand-over. */
const payloadsAtMost = 8;

/** The bytes of an account in a payload: its UUID, quotes and a comma. */
const accountBytes = 39;

/** `lists` has accounts by what has changed of them; topics of a later version may be among them. */
const payloadBody = z.object({
  from: z.uuid(),
  lists: z.array(z.tuple([z.array(z.string()), z.array(z.uuid())])).or(z.literal('everything')),
});

type List = [topics: readonly Topic[], accountIds: string[]];

/** What to notify other processes with: everything, where what has changed fits no few payloads. `from` is this process, a UUID. */
export const writePayloads = (from: string, changed: Changed): string[] => {
  const write = (lists: readonly List[] | 'everything'): string => JSON.stringify({ from, lists });
  if (changed === 'everything') return [write('everything')];
  const emptyBytes = write([]).length;
  const payloads: List[][] = [[]];
  let bytes = emptyBytes;
  for (const [topics, accountIds] of listsOf(changed)) {
    const headBytes = JSON.stringify([topics, []]).length + 1;
    let list: List | undefined;
    for (const accountId of accountIds) {
      if (list && bytes + accountBytes <= payloadBytes) {
        list[1].push(accountId);
        bytes += accountBytes;
        continue;
      }
      if (bytes + headBytes + accountBytes > payloadBytes) {
        payloads.push([]);
        bytes = emptyBytes;
      }
      list = [topics, [accountId]];
      payloads.at(-1)?.push(list);
      bytes += headBytes + accountBytes;
    }
  }
  return payloads.length > payloadsAtMost ? [write('everything')] : payloads.map(write);
};

/** The accounts by what has changed of them, which is the same of most. */
const listsOf = (changed: ReadonlyMap<string, ReadonlySet<Topic>>): List[] => {
  const lists = new Map<string, List>();
  for (const [accountId, given] of changed) {
    const topics = [...given].sort();
    const list = lists.get(topics.join());
    if (list) list[1].push(accountId);
    else lists.set(topics.join(), [topics, [accountId]]);
  }
  return [...lists.values()];
};

const isTopic = (name: string): name is Topic => topicNames.some((topic) => topic === name);

/** What another process tells; everything, where it cannot be read. Undefined for what this process has notified itself. */
export const readPayload = (own: string, payload: string): Changed | undefined => {
  const read = payloadBody.safeParse(parseOrNothing(payload)).data;
  if (!read || read.lists === 'everything') return read?.from === own ? undefined : 'everything';
  if (read.from === own) return undefined;
  const changed = new Map<string, Set<Topic>>();
  for (const [topics, accountIds] of read.lists)
    for (const accountId of accountIds)
      changed.set(accountId, new Set([...(changed.get(accountId) ?? []), ...topics.filter(isTopic)]));
  return changed;
};
