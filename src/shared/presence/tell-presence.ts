import type { Sql } from '../platform/db/connect.ts';
import type { Logger } from '../platform/log.ts';
import { beatsAtMost, channel, writeBeats } from './payloads.ts';
import type { Beat } from './register.ts';
import { createBeatTeller, type BeatTeller } from './tell-beats.ts';

/** Tells streams who is where. */
export type PresenceTeller = BeatTeller<Beat>;

/** Each tab sends its next beat within ten seconds. `processId` is this process, a UUID. */
export const createPresenceTeller = ({
  sql,
  processId,
  log,
}: {
  sql: Sql;
  processId: string;
  log: Logger;
}): PresenceTeller =>
  createBeatTeller({
    sql,
    log,
    name: 'presence',
    channel,
    write: (beats) => writeBeats(processId, beats),
    keyOf: ({ sessionId, tab, subject }) => `${sessionId} ${tab} ${subject}`,
    waitingAtMost: 8 * beatsAtMost,
  });
