import type { ServerResponse } from 'node:http';
import type { Role } from '../../shared/accounts/schema.ts';
import { findLiveSessions } from '../../shared/accounts/sessions.ts';
import { RequestError } from '../../shared/errors.ts';
import { topicNames, type Topic } from '../../shared/facts/topics.ts';
import { gatherTalks, type Talks } from '../../shared/hints/gather-talks.ts';
import { gatherTopics, type Changed, type Pace } from '../../shared/hints/gather-topics.ts';
import type { OthersHearing, StreamsDatabase } from '../../shared/hints/hear-others.ts';
import { roleOfTopic } from '../../shared/hints/schema.ts';
import type { TopicTeller } from '../../shared/hints/tell-topics.ts';
import type { Beat, PresenceBounds } from '../../shared/presence/register.ts';
import type { PresenceTeller } from '../../shared/presence/tell-presence.ts';
import type { TypingBeat } from '../../shared/typing/payloads.ts';
import type { TypingTeller } from '../../shared/typing/tell-typing.ts';
import type { Logger } from '../../shared/platform/log.ts';
import { startPeriodic, type Periodic } from '../../shared/platform/periodic.ts';
import { mayAs } from '../roles.ts';
import { createPresenceOfStreams } from './presence-of-streams.ts';
import { createStreamSlots, type StreamBounds, type StreamOwner } from './stream-slots.ts';
import { createTypingOfStreams } from './typing-of-streams.ts';
import { beginEvents, textOfTalks, writeBeat, writeHint } from './write.ts';

/** Who listens. */
type Listener = StreamOwner & { role: Role };

export type Streams = {
  /**
   * Answers with a stream of hints and of who is where, until the client goes, its session ends or `stop`. Resolves when it has begun. Throws `rate_limited` and
   * `unavailable`.
   */
  open: (response: ServerResponse, listener: Listener) => Promise<void>;
  /** Ends all streams, and refuses new ones. */
  stop: () => Promise<void>;
};

export type StreamsOptions = {
  forStreams: Pick<StreamsDatabase, 'db'>;
  /** What this process tells itself. */
  teller: Pick<TopicTeller, 'hear' | 'hearTalks'>;
  presenceTeller: Pick<PresenceTeller, 'hear'>;
  typingTeller: Pick<TypingTeller, 'hear'>;
  /** What others tell. */
  others: OthersHearing;
  log: Logger;
  bounds?: StreamBounds;
  presenceBounds?: PresenceBounds;
  /** The clock of presence, in ms. */
  now?: () => number;
  /** How often a stream has a topic at most. */
  pace?: Pace;
  /** How often it looks who has gone without a word, looks at sessions, and sends a sign of life, in ms. */
  goneEveryMs?: number;
  checkEveryMs?: number;
  heartbeatEveryMs?: number;
  /** A stream is dropped of which so many bytes wait to be read. */
  unreadBytes?: number;
};

const usualPace: Pace = { talkMs: 20, listsMs: 1_000 };

type Stream = { listener: Listener; response: ServerResponse; hasBegun: boolean };

/** Sends hints and presence to those who listen: of what this process tells, and, while there is a stream, of what others tell (docs/decisions/0029). */
export const createStreams = ({
  forStreams,
  teller,
  presenceTeller,
  typingTeller,
  others,
  log,
  bounds,
  presenceBounds,
  now,
  pace = usualPace,
  goneEveryMs = 1_000,
  checkEveryMs = 5_000,
  heartbeatEveryMs = 15_000,
  unreadBytes = 64 * 1024,
}: StreamsOptions): Streams => {
  const slots = createStreamSlots(bounds);
  const open = new Set<Stream>();
  const byAccount = new Map<string, Set<Stream>>();
  let work: Periodic[] = [];
  let isStopping = false;

  const send = (stream: Stream, write: (response: ServerResponse) => void): void => {
    if (!stream.hasBegun || stream.response.destroyed || stream.response.writableEnded) return;
    if (stream.response.writableLength > unreadBytes) stream.response.destroy();
    else write(stream.response);
  };

  /** Whoever has not read the rest when it is called again is dropped: nothing else limits the time for it. */
  const end = ({ hasBegun, response }: Stream): void => {
    if (!hasBegun) return;
    if (response.writableEnded) response.destroy();
    else response.end();
  };

  const write = (changed: Changed): void => {
    for (const [accountId, topics] of amongListeners(changed))
      for (const stream of byAccount.get(accountId) ?? [])
        for (const topic of topics)
          if (mayAs(roleOfTopic[topic], stream.listener)) send(stream, (response) => writeHint(response, { topic }));
  };

  /** The part of it that is of accounts with streams. */
  const amongListeners = (changed: Changed): ReadonlyMap<string, ReadonlySet<Topic>> =>
    changed === 'everything'
      ? new Map(Array.from(byAccount.keys(), (accountId) => [accountId, allTopics]))
      : new Map([...changed].filter(([accountId]) => byAccount.has(accountId)));

  const waiting = gatherTopics({ pace, hand: write });

  const writeTalks = (talks: Talks): void => {
    const told = talks === 'everything' ? undefined : Map.groupBy(talks, ({ accountId }) => accountId);
    for (const [accountId, streams] of byAccount) {
      const ofAccount = told ? told.get(accountId) : 'everything';
      const text = ofAccount && textOfTalks(ofAccount);
      if (text !== undefined) for (const stream of streams) send(stream, (response) => void response.write(text));
    }
  };
  const waitingTalks = gatherTalks({ everyMs: pace.talkMs, hand: writeTalks });

  const hear = (changed: Changed): void => {
    if (open.size > 0) waiting.add(amongListeners(changed));
  };

  const hearTalks = (talks: Talks): void => {
    if (open.size === 0) return;
    waitingTalks.add(talks === 'everything' ? talks : talks.filter(({ accountId }) => byAccount.has(accountId)));
  };

  const presence = createPresenceOfStreams({
    bounds: presenceBounds,
    now,
    send: (accountId, isFor, writeIt) => {
      for (const stream of byAccount.get(accountId) ?? []) if (isFor(stream.listener)) send(stream, writeIt);
    },
  });
  const hearPresence = (beat: Beat): void => {
    if (open.size > 0) presence.hear(beat);
  };

  const typing = createTypingOfStreams((accountId, text) => {
    for (const stream of byAccount.get(accountId) ?? []) send(stream, (response) => void response.write(text));
  });
  const hearTyping = (beat: TypingBeat): void => {
    if (byAccount.has(beat.accountId)) typing.hear(beat);
  };

  const listener = { hear, hearTalks, hearPresence, hearTyping };
  const endHearing = [
    teller.hear(hear),
    teller.hearTalks(hearTalks),
    presenceTeller.hear(hearPresence),
    typingTeller.hear(hearTyping),
  ];

  const checkSessions = async (): Promise<void> => {
    const checked = [...open];
    const roles = await findLiveSessions(
      forStreams.db,
      checked.map(({ listener }) => listener),
    );
    for (const stream of checked) {
      const role = roles.get(stream.listener.sessionId);
      if (role === undefined) end(stream);
      else stream.listener.role = role;
    }
  };

  const add = (stream: Stream): void => {
    open.add(stream);
    const { accountId } = stream.listener;
    byAccount.set(accountId, (byAccount.get(accountId) ?? new Set()).add(stream));
  };

  const remove = (stream: Stream): void => {
    open.delete(stream);
    const { accountId } = stream.listener;
    const rest = byAccount.get(accountId);
    rest?.delete(stream);
    if (rest?.size === 0) byAccount.delete(accountId);
  };

  const forget = async (): Promise<void> => presence.forget();

  const beat = async (): Promise<void> => {
    for (const stream of open) send(stream, writeBeat);
  };

  const wake = (): void => {
    if (work.length > 0) return;
    work = [
      startPeriodic(forget, { name: 'presence_forget', everyMs: goneEveryMs, log }),
      startPeriodic(checkSessions, { name: 'stream_sessions', everyMs: checkEveryMs, log }),
      startPeriodic(beat, { name: 'stream_heartbeat', everyMs: heartbeatEveryMs, log }),
    ];
  };

  const rest = async (): Promise<void> => {
    const stopped = work.map(({ stop }) => stop());
    work = [];
    waiting.drop();
    waitingTalks.drop();
    presence.clear();
    typing.clear();
    const resting = others.rest(listener).catch((error: unknown) => log.warn({ err: error }, 'stream_rest.failed'));
    await Promise.all([...stopped, resting]);
  };

  return {
    open: async (response, given) => {
      if (isStopping) throw stopping();
      // Of a client that left while it was found out who it is, no event comes that would free the slot.
      if (response.destroyed) return;
      const release = slots.take(given);
      const stream: Stream = { listener: { ...given }, response, hasBegun: false };
      add(stream);
      response.once('close', () => {
        remove(stream);
        release();
        if (open.size === 0) void rest();
      });
      // Before the client reads: whatever changes after its reads is told then.
      await others.start(listener);
      if (isStopping) throw stopping();
      if (response.destroyed) return;
      beginEvents(response);
      stream.hasBegun = true;
      presence.greet(stream.listener);
      wake();
    },
    stop: async () => {
      isStopping = true;
      for (const endOne of endHearing) endOne();
      for (const stream of open) end(stream);
      await rest();
    },
  };
};

const allTopics: ReadonlySet<Topic> = new Set(topicNames);

const stopping = () => new RequestError('unavailable', 'This process is stopping. Connect again.');
