import type { LinkTo } from '../../shared/media/schema.ts';
import type { ServerResponse } from 'node:http';
import { RequestError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/platform/log.ts';
import { startPeriodic, type Periodic } from '../../shared/platform/periodic.ts';
import type { Database } from '../../shared/platform/db/connect.ts';
import type { OthersHearing } from '../../shared/hints/hear-others.ts';
import type { Beat } from '../../shared/presence/register.ts';
import type { PresenceTeller } from '../../shared/presence/tell-presence.ts';
import type { LiveHub } from '../../shared/messages/live/hub.ts';
import { findLatest, type AskedThread } from '../../shared/messages/webchat/thread.ts';
import type { Reads } from '../reads.ts';
import { beginEvents, writeComment } from '../stream/write.ts';
import { findMoved, mayGoOn } from './look-after-streams.ts';
import { createShowing } from './show-changes.ts';
import { createStreamPlaces, type StreamBounds } from './stream-places.ts';
import { createTypingOfThreads, type TypingOfThreads } from './typing-of-threads.ts';
import type { StreamOwner, VisitorStream } from './visitor-stream.ts';
import { createVisitorWriter } from './write-to-visitors.ts';

export type VisitorStreams = {
  /**
   * Answers with the changes of a visitor's thread as they come, until the client goes, the page may show the webchat no more, or `stop`. Resolves
   * when it has begun. Throws `rate_limited` and `unavailable`.
   */
  open: (response: ServerResponse, owner: StreamOwner, asked: Omit<AskedThread, 'before'>) => Promise<void>;
  /** A visitor has written in this conversation, a UUID: who shows another one reads everything again. */
  noteConversation: (visitorId: string, conversationId: string) => void;
  isAgentTyping: TypingOfThreads['isAgentTyping'];
  /** Ends all streams, and refuses new ones. */
  stop: () => Promise<void>;
};

export type VisitorStreamsOptions = {
  db: Database;
  reads: Reads;
  live: Pick<LiveHub, 'watchConversation'>;
  presenceTeller: Pick<PresenceTeller, 'hear'>;
  others: Pick<OthersHearing, 'start' | 'rest'>;
  baseUrl: string;
  linkTo: LinkTo;
  log: Logger;
  bounds?: StreamBounds;
  heartbeatEveryMs?: number;
  /** How often it is looked who types, and whose thread has gone on in another conversation, in ms. */
  lookEveryMs?: number;
  /** How often it is looked who may show the webchat no more, in ms. */
  checkEveryMs?: number;
  /** A stream is dropped of which so many bytes wait to be read. */
  unreadBytes?: number;
  /** The clock of agents who type, in ms. */
  now?: () => number;
};

/** The streams of visitors of a process. */
export const createVisitorStreams = ({
  db,
  reads,
  live,
  presenceTeller,
  others,
  baseUrl,
  linkTo,
  log,
  bounds,
  heartbeatEveryMs = 20_000,
  lookEveryMs = 2_000,
  checkEveryMs = 5_000,
  unreadBytes = 256 * 1024,
  now = () => performance.now(),
}: VisitorStreamsOptions): VisitorStreams => {
  const places = createStreamPlaces(bounds);
  const open = new Set<VisitorStream>();
  let work: Periodic[] = [];
  let isStopping = false;

  const writer = createVisitorWriter({ unreadBytes });
  const { reset } = writer;
  const typing = createTypingOfThreads({
    sql: db,
    streams: () => open,
    tell: (stream, body) => writer.tell(stream, 'typing', body),
    now,
  });
  const hearPresence = (beat: Beat): void => {
    if (open.size > 0) typing.hear(beat);
  };
  const endHearing = presenceTeller.hear(hearPresence);
  const listener = { hearPresence };

  const take = createShowing({ db, reads, linkTo, typing, writer, log, now });

  const look = async (): Promise<void> => {
    for (const stream of await findMoved(db, [...open])) reset(stream);
    await typing.look();
  };
  const check = async (): Promise<void> => {
    const all = [...open];
    const allowed = await mayGoOn(db, all, baseUrl);
    for (const stream of all) if (!allowed.has(stream)) stream.response.end();
  };
  const beat = async (): Promise<void> => {
    for (const stream of open) if (stream.hasBegun) writer.beat(stream);
  };

  const wake = (): void => {
    if (work.length > 0) return;
    work = [
      startPeriodic(look, { name: 'webchat_look', everyMs: lookEveryMs, log }),
      startPeriodic(check, { name: 'webchat_check', everyMs: checkEveryMs, log }),
      startPeriodic(beat, { name: 'webchat_heartbeat', everyMs: heartbeatEveryMs, log }),
    ];
  };
  const rest = async (): Promise<void> => {
    const stopped = work.map(({ stop }) => stop());
    work = [];
    typing.clear();
    const resting = others.rest(listener).catch((error: unknown) => log.warn({ err: error }, 'webchat_rest.failed'));
    await Promise.all([...stopped, resting]);
  };

  return {
    open: async (response, owner, { after, conversationId }) => {
      if (response.destroyed) return;
      if (isStopping) throw stopping();
      const begun = Promise.withResolvers<void>();
      const stream: VisitorStream = {
        ...owner,
        response,
        hasBegun: false,
        conversationId: undefined,
        isClosed: false,
        typing: undefined,
        activeMs: now(),
        shown: begun.promise,
        waiting: 0,
      };
      let endWatch = (): void => {};
      const leavePlace = places.take(owner, () => writer.end(stream));
      open.add(stream);
      const leave = (): void => {
        if (!open.delete(stream)) return;
        leavePlace();
        endWatch();
        begun.resolve();
        if (open.size === 0) void rest();
      };
      response.once('close', leave);
      try {
        await others.start(listener);
        const latest = owner.of && (await findLatest(db, owner.of));
        stream.conversationId = latest?.id;
        stream.isClosed = latest?.status === 'closed';
        const isElsewhere = latest && (after > latest.revision || (conversationId ?? latest.id) !== latest.id);
        if (latest && !isElsewhere)
          endWatch = await live.watchConversation({
            accountId: owner.channel.accountId,
            conversationId: latest.id,
            after,
            take: (changes) => take(stream, changes),
            leave: (why) => (why === 'slow' ? response.destroy() : void stream.shown.then(() => reset(stream))),
          });
        if (isStopping) throw stopping();
        if (!open.has(stream)) return endWatch();
        beginEvents(response);
        stream.hasBegun = true;
        writeComment(response);
        if (isElsewhere) return reset(stream);
        begun.resolve();
        wake();
      } catch (error) {
        leave();
        throw error;
      }
    },
    noteConversation: (visitorId, conversationId) => {
      for (const stream of open)
        if (stream.visitorId === visitorId && stream.hasBegun && stream.conversationId !== conversationId)
          reset(stream);
    },
    isAgentTyping: typing.isAgentTyping,
    stop: async () => {
      isStopping = true;
      endHearing();
      for (const { response, hasBegun } of open) if (hasBegun) response.end();
      await rest();
    },
  };
};

const stopping = () => new RequestError('unavailable', 'This process is stopping. Connect again.');
