import { connectDatabase, type Database, type DatabaseTarget } from '../platform/db/connect.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { ReplaceOptions } from '../platform/db/replace-on-loss.ts';
import { goneAfterSeconds } from '../platform/processes/own-process.ts';
import type { Changed } from './gather-topics.ts';
import { channel as presenceChannel, readBeats } from '../presence/payloads.ts';
import type { Beat } from '../presence/register.ts';
import { channel, readPayload } from './payloads.ts';

/** The one connection on which a process listens, and asks for what its streams need. */
export type StreamsDatabase = {
  db: Database;
  /** Has `listener` get the payloads of notifications on this channel from now on. */
  onNotify: (channel: string, listener: (payload: string) => void) => void;
};

export const connectForStreams = (target: DatabaseTarget, watching: ReplaceOptions = {}): StreamsDatabase => {
  const listeners = new Map<string, (payload: string) => void>();
  const db = connectDatabase(target, {
    max: 1,
    settings: { statement_timeout: 5_000 },
    onNotify: (name, payload) => listeners.get(name)?.(payload),
    ...watching,
  });
  return { db, onNotify: (name, listener) => void listeners.set(name, listener) };
};

export type OthersHearing = {
  /** Resolves when everything that other processes tell from now on is heard. */
  start: () => Promise<void>;
  /** Reads everything again after a gap: a lost connection, or a process that stopped before it could tell of its last commits. */
  check: () => Promise<void>;
  /** Listens no more. */
  rest: () => Promise<void>;
};

type OtherProcess = { id: string; isGone: boolean; isMute: boolean };

/** How long a process that stops waits for the end of its listening, in ms: PostgreSQL may be away. */
const restMs = 2_000;

/** How often everything is heard of while a process of a version that tells nothing is at work, in ms. */
const muteEveryMs = 5_000;

/** Hears what other processes tell, and who is where. `processId` is this process, a UUID. */
export const createOthersHearing = ({
  forStreams: { db, onNotify },
  processId,
  hear,
  hearPresence,
}: {
  forStreams: StreamsDatabase;
  processId: string;
  hear: (changed: Changed) => void;
  hearPresence: (beat: Beat) => void;
}): OthersHearing => {
  let listening: Promise<unknown> | undefined;
  let atWork: ReadonlySet<string> = new Set();
  let heardMs = performance.now();

  onNotify(channel, (payload) => {
    const changed = listening && readPayload(processId, payload);
    if (changed) hear(changed);
  });
  onNotify(presenceChannel, (payload) => {
    if (listening) for (const beat of readBeats(processId, payload)) hearPresence(beat);
  });

  const hearEverything = (): void => {
    heardMs = performance.now();
    hear('everything');
  };

  const listen = async (): Promise<void> => {
    await Promise.all([db`listen ${db(channel)}`, db`listen ${db(presenceChannel)}`]);
  };

  const findOthers = () => db<[{ isListening: boolean; others: OtherProcess[] }]>`
    select exists (select from pg_listening_channels() as name where name = ${channel}) as is_listening,
      (select coalesce(json_agg(json_build_object(
        'id', id, 'isGone', seen_at < clock_timestamp() - make_interval(secs => ${goneAfterSeconds}), 'isMute', version like '0.3.%')), '[]')
      from processes where id <> ${processId}) as others`;

  return {
    start: async () => {
      const begun = (listening ??= listen());
      try {
        await begun;
      } catch (error) {
        if (listening === begun) listening = undefined;
        throw error;
      }
    },
    check: async () => {
      const [{ isListening, others }] = await findOthers();
      if (!listening) return;
      const { gone = [], present = [] } = Object.groupBy(others, ({ isGone }) => (isGone ? 'gone' : 'present'));
      const isAnyLost = gone.some(({ id }) => atWork.has(id));
      const isAnyMute = present.some(({ isMute }) => isMute) && performance.now() - heardMs >= muteEveryMs;
      atWork = new Set(present.map(({ id }) => id));
      if (!isListening) await listen();
      if (!isListening || isAnyLost || isAnyMute) hearEverything();
    },
    rest: async () => {
      if (!listening) return;
      listening = undefined;
      atWork = new Set();
      await withDeadline(restMs, 'ending to listen', () => db`unlisten *`);
    },
  };
};
