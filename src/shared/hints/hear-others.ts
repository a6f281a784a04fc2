import { connectDatabase, type Database, type DatabaseTarget } from '../platform/db/connect.ts';
import { withDeadline } from '../platform/deadline.ts';
import type { ReplaceOptions } from '../platform/db/replace-on-loss.ts';
import { goneAfterSeconds } from '../platform/processes/own-process.ts';
import type { Logger } from '../platform/log.ts';
import { startPeriodic, type Periodic } from '../platform/periodic.ts';
import { channel as presenceChannel, readBeats } from '../presence/payloads.ts';
import type { Beat } from '../presence/register.ts';
import { readTyping, typingChannel, type TypingBeat } from '../typing/payloads.ts';
import type { Talks } from './gather-talks.ts';
import type { Changed } from './gather-topics.ts';
import { channel, readPayload } from './payloads.ts';
import { readTalks, talkChannel } from './talk-payloads.ts';

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

/** Who wants to hear what other processes tell, and of what. */
type OtherListener = {
  hear?: (changed: Changed) => void;
  hearTalks?: (talks: Talks) => void;
  hearPresence?: (beat: Beat) => void;
  hearTyping?: (beat: TypingBeat) => void;
};

export type OthersHearing = {
  /** Resolves when the listener hears everything that other processes tell from now on. */
  start: (listener: OtherListener) => Promise<void>;
  /** Tells everything again after a gap: a lost connection, or a process that stopped before it could tell of its last commits. */
  check: () => Promise<void>;
  /** The listener hears no more. With the last one, this process listens no more. */
  rest: (listener: OtherListener) => Promise<void>;
};

type OtherProcess = { id: string; isGone: boolean; isMute: boolean };

/** How long a process that stops waits for the end of its listening, in ms: PostgreSQL may be away. */
const restMs = 2_000;

/** How often everything is heard of while a process of a version that tells nothing is at work, in ms. */
const muteEveryMs = 5_000;

/** Hears what other processes tell, who is where and who types, while anybody listens. `processId` is this process, a UUID. */
export const createOthersHearing = ({
  forStreams: { db, onNotify },
  processId,
  log,
  gapsEveryMs = 1_000,
}: {
  forStreams: StreamsDatabase;
  processId: string;
  log: Logger;
  /** How often it looks for gaps in what it hears, in ms. */
  gapsEveryMs?: number;
}): OthersHearing => {
  const listeners = new Set<OtherListener>();
  let listening: Promise<unknown> | undefined;
  let checking: Periodic | undefined;
  let atWork: ReadonlySet<string> = new Set();
  let heardMs = performance.now();

  onNotify(channel, (payload) => {
    const changed = listening && readPayload(processId, payload);
    if (changed) for (const { hear } of listeners) hear?.(changed);
  });
  onNotify(talkChannel, (payload) => {
    const talks = listening && readTalks(processId, payload);
    if (talks) for (const { hearTalks } of listeners) hearTalks?.(talks);
  });
  onNotify(presenceChannel, (payload) => {
    if (!listening) return;
    for (const beat of readBeats(processId, payload)) for (const { hearPresence } of listeners) hearPresence?.(beat);
  });
  onNotify(typingChannel, (payload) => {
    if (!listening) return;
    for (const beat of readTyping(processId, payload)) for (const { hearTyping } of listeners) hearTyping?.(beat);
  });

  const hearEverything = (): void => {
    heardMs = performance.now();
    for (const { hear, hearTalks } of listeners) {
      hear?.('everything');
      hearTalks?.('everything');
    }
  };

  const listen = async (): Promise<void> => {
    await Promise.all([channel, talkChannel, presenceChannel, typingChannel].map((name) => db`listen ${db(name)}`));
  };

  const findOthers = () => db<[{ isListening: boolean; others: OtherProcess[] }]>`
    select exists (select from pg_listening_channels() as name where name = ${channel}) as is_listening,
      (select coalesce(json_agg(json_build_object(
        'id', id, 'isGone', seen_at < clock_timestamp() - make_interval(secs => ${goneAfterSeconds}), 'isMute', version like '0.3.%')), '[]')
      from processes where id <> ${processId}) as others`;

  const check = async (): Promise<void> => {
    const [{ isListening, others }] = await findOthers();
    if (!listening) return;
    const { gone = [], present = [] } = Object.groupBy(others, ({ isGone }) => (isGone ? 'gone' : 'present'));
    const isAnyLost = gone.some(({ id }) => atWork.has(id));
    const isAnyMute = present.some(({ isMute }) => isMute) && performance.now() - heardMs >= muteEveryMs;
    atWork = new Set(present.map(({ id }) => id));
    if (!isListening) await listen();
    if (!isListening || isAnyLost || isAnyMute) hearEverything();
  };

  return {
    start: async (listener) => {
      listeners.add(listener);
      const begun = (listening ??= listen());
      try {
        await begun;
      } catch (error) {
        if (listening === begun) listening = undefined;
        throw error;
      }
      if (listening === begun) checking ??= startPeriodic(check, { name: 'stream_gaps', everyMs: gapsEveryMs, log });
    },
    check,
    rest: async (listener) => {
      listeners.delete(listener);
      if (listeners.size > 0 || !listening) return;
      listening = undefined;
      atWork = new Set();
      // Asked for before anything is awaited: whoever listens again meanwhile asks after it.
      const resting = withDeadline(restMs, 'ending to listen', () => db`unlisten *`);
      const stopped = checking?.stop();
      checking = undefined;
      await Promise.all([resting, stopped]);
    },
  };
};
