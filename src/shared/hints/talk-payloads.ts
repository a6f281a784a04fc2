import { z } from 'zod';
import type { Talk } from '../facts/talked.ts';
import { parseOrNothing } from '../platform/json/parse-or-nothing.ts';
import type { Talks } from './gather-talks.ts';

/** The channel of notifications on which processes tell each other of conversations. */
export const talkChannel = 'parley_talks';

/** PostgreSQL takes payloads below 8,000 bytes; a conversation with its account and revision has at most 100. */
const talksOfPayload = 78;

const payloadBody = z.object({
  from: z.uuid(),
  talks: z.array(z.tuple([z.uuid(), z.uuid(), z.int().min(0)])).or(z.literal('everything')),
});

/** What to notify other processes with. `from` is this process, a UUID. */
export const writeTalks = (from: string, talks: Talks): string[] => {
  if (talks === 'everything') return [JSON.stringify({ from, talks })];
  const payloads: string[] = [];
  for (let at = 0; at < talks.length; at += talksOfPayload) {
    const some = talks.slice(at, at + talksOfPayload);
    payloads.push(JSON.stringify({ from, talks: some.map(asTuple) }));
  }
  return payloads;
};

const asTuple = ({ accountId, conversationId, revision }: Talk) => [accountId, conversationId, revision];

/** What another process tells; everything, where it cannot be read. Undefined for what this process has notified itself. */
export const readTalks = (own: string, payload: string): Talks | undefined => {
  const read = payloadBody.safeParse(parseOrNothing(payload)).data;
  if (read?.from === own) return undefined;
  if (!read || read.talks === 'everything') return 'everything';
  return read.talks.map(([accountId, conversationId, revision]) => ({ accountId, conversationId, revision }));
};
