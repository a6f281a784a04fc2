import { z } from 'zod';
import { parseOrNothing } from '../platform/json/parse-or-nothing.ts';
import { tabName } from './schema.ts';
import type { Beat } from './register.ts';

/** The channel of notifications on which processes tell each other who is where. */
export const channel = 'parley_presence';

/** PostgreSQL takes payloads below 8,000 bytes. */
const payloadBytes = 7_900;

/** The most bytes of a beat in a payload: three UUIDs, a tab, a subject, a part, a flag, and what stands between them. */
const beatBytes = 320;

/** The most beats of a payload. */
export const beatsAtMost = Math.floor((payloadBytes - 100) / beatBytes);

const beat = z.tuple([z.uuid(), z.uuid(), z.uuid(), tabName, z.string(), z.string().nullable(), z.boolean()]);

const payloadBody = z.object({ from: z.uuid(), beats: z.array(beat).max(beatsAtMost) });

/** What to notify other processes with. `from` is this process, a UUID. */
export const writeBeats = (from: string, beats: readonly Beat[]): string[] =>
  Array.from({ length: Math.ceil(beats.length / beatsAtMost) }, (_, index) =>
    JSON.stringify({
      from,
      beats: beats
        .slice(index * beatsAtMost, (index + 1) * beatsAtMost)
        .map((one) => [one.accountId, one.userId, one.sessionId, one.tab, one.subject, one.part, one.hasLeft]),
    }),
  );

/** What another process tells: nothing where this process has told it itself, or where it cannot be read. */
export const readBeats = (own: string, payload: string): Beat[] => {
  const { data } = payloadBody.safeParse(parseOrNothing(payload));
  if (!data || data.from === own) return [];
  return data.beats.map(([accountId, userId, sessionId, tab, subject, part, hasLeft]) => ({
    accountId,
    userId,
    sessionId,
    tab,
    subject,
    part,
    hasLeft,
  }));
};
