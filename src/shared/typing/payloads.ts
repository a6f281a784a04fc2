import { z } from 'zod';
import { parseOrNothing } from '../platform/json/parse-or-nothing.ts';

/** That a contact types in a conversation, or does so no more; ids are UUIDs. */
export type TypingBeat = { accountId: string; conversationId: string; isTyping: boolean };

/** The channel of notifications on which processes tell each other of contacts who type. */
export const typingChannel = 'parley_typing';

/** PostgreSQL takes payloads below 8,000 bytes; a beat has at most 87. */
export const typingBeatsOfPayload = 85;

const payloadBody = z.object({
  from: z.uuid(),
  beats: z.array(z.tuple([z.uuid(), z.uuid(), z.boolean()])).max(typingBeatsOfPayload),
});

/** What to notify other processes with. `from` is this process, a UUID. */
export const writeTyping = (from: string, beats: readonly TypingBeat[]): string[] =>
  Array.from({ length: Math.ceil(beats.length / typingBeatsOfPayload) }, (_, index) =>
    JSON.stringify({
      from,
      beats: beats
        .slice(index * typingBeatsOfPayload, (index + 1) * typingBeatsOfPayload)
        .map(({ accountId, conversationId, isTyping }) => [accountId, conversationId, isTyping]),
    }),
  );

/** What another process tells: nothing where this process has told it itself, or where it cannot be read. */
export const readTyping = (own: string, payload: string): TypingBeat[] => {
  const { data } = payloadBody.safeParse(parseOrNothing(payload));
  if (!data || data.from === own) return [];
  return data.beats.map(([accountId, conversationId, isTyping]) => ({ accountId, conversationId, isTyping }));
};
