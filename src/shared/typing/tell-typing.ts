import type { Sql } from '../platform/db/connect.ts';
import type { Logger } from '../platform/log.ts';
import { createBeatTeller, type BeatTeller } from '../presence/tell-beats.ts';
import { typingBeatsOfPayload, typingChannel, writeTyping, type TypingBeat } from './payloads.ts';

/** Tells the streams of agents which contacts type. */
export type TypingTeller = BeatTeller<TypingBeat>;

/** The most conversations of an account in which contacts are shown to type at a time. */
export const typingOfAccount = 200;

/** Who goes on typing says so every few seconds. `processId` is this process, a UUID. */
export const createTypingTeller = ({
  sql,
  processId,
  log,
}: {
  sql: Sql;
  processId: string;
  log: Logger;
}): TypingTeller =>
  createBeatTeller({
    sql,
    log,
    name: 'typing',
    channel: typingChannel,
    write: (beats) => writeTyping(processId, beats),
    keyOf: ({ conversationId }) => conversationId,
    waitingAtMost: 8 * typingBeatsOfPayload,
    ofAccountAtMost: typingOfAccount,
  });
