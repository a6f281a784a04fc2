import type { ServerResponse } from 'node:http';
import type { Role } from '../../shared/accounts/schema.ts';
import { findLiveSessions } from '../../shared/accounts/sessions.ts';
import { RequestError } from '../../shared/errors.ts';
import { createHintFinder, type HintsByAccount } from '../../shared/hints/find-hints.ts';
import { topics } from '../../shared/hints/schema.ts';
import { connectDatabase, type Database, type DatabaseTarget } from '../../shared/platform/db/connect.ts';
import type { ReplaceOptions } from '../../shared/platform/db/replace-on-loss.ts';
import type { Logger } from '../../shared/platform/log.ts';
import { startPeriodic, type Periodic } from '../../shared/platform/periodic.ts';
import { mayAs } from '../roles.ts';
import { createStreamSlots, type StreamBounds, type StreamOwner } from './stream-slots.ts';
import { beginEvents, writeComment, writeHint } from './write.ts';

/** Who listens. */
type Listener = StreamOwner & { role: Role };

export type Streams = {
  /**
   * Answers with a stream of hints, until the client goes, its session ends or `stop`. Resolves when it has begun. Throws `rate_limited` and
   * `unavailable`.
   */
  open: (response: ServerResponse, listener: Listener) => Promise<void>;
  /** Ends all streams, and refuses new ones. */
  stop: () => Promise<void>;
};

export type StreamsOptions = {
  /** Connections of its own, so that a look that takes long holds up nobody. */
  db: Database;
  log: Logger;
  bounds?: StreamBounds;
  /** How often it looks for changes, at sessions, and sends a sign of life, in ms. */
  lookEveryMs?: number;
  checkEveryMs?: number;
  heartbeatEveryMs?: number;
  /** A stream is dropped of which so many bytes wait to be read. */
  unreadBytes?: number;
};

/**
 * A pool for `createStreams`. Its statements have one plan for all values, because over the weeks of the logs planning takes longer than reading;
 * and it reads by indexes in their order, because a plan that suits the usual account would sort all that a large one has.
 */
export const connectForStreams = (target: DatabaseTarget, watching: ReplaceOptions = {}): Database =>
  connectDatabase(target, {
    max: 1,
    settings: {
      statement_timeout: 5_000,
      plan_cache_mode: 'force_generic_plan',
      max_parallel_workers_per_gather: 0,
      enable_seqscan: 'off',
      enable_bitmapscan: 'off',
      enable_sort: 'off',
      enable_incremental_sort: 'off',
    },
    ...watching,
  });

type Stream = { listener: Listener; response: ServerResponse; hasBegun: boolean };

/** Sends hints to those who listen. One look for all of them, and none while nobody listens (docs/decisions/0022). */
export const createStreams = ({
  db,
  log,
  bounds,
  lookEveryMs = 1_000,
  checkEveryMs = 5_000,
  heartbeatEveryMs = 15_000,
  unreadBytes = 64 * 1024,
}: StreamsOptions): Streams => {
  const slots = createStreamSlots(bounds);
  const finder = createHintFinder(db);
  const open = new Set<Stream>();
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

  const tell = (hints: HintsByAccount): void => {
    for (const stream of open) {
      const { accountId, role } = stream.listener;
      for (const hint of hints.get(accountId) ?? []) {
        if (mayAs(topics[hint.topic].role, { role })) send(stream, (response) => writeHint(response, hint));
      }
    }
  };

  const look = async (): Promise<void> => {
    const accounts = new Set(Array.from(open, ({ listener }) => listener.accountId));
    if (accounts.size > 0) tell(await finder.find([...accounts]));
  };

  const checkSessions = async (): Promise<void> => {
    const checked = [...open];
    const roles = await findLiveSessions(
      db,
      checked.map(({ listener }) => listener),
    );
    for (const stream of checked) {
      const role = roles.get(stream.listener.sessionId);
      if (role === undefined) end(stream);
      else stream.listener.role = role;
    }
  };

  const beat = async (): Promise<void> => {
    for (const stream of open) send(stream, writeComment);
  };

  const wake = (): void => {
    if (work.length > 0) return;
    work = [
      startPeriodic(look, { name: 'stream_look', everyMs: lookEveryMs, log }),
      startPeriodic(checkSessions, { name: 'stream_sessions', everyMs: checkEveryMs, log }),
      startPeriodic(beat, { name: 'stream_heartbeat', everyMs: heartbeatEveryMs, log }),
    ];
  };

  const rest = async (): Promise<void> => {
    const stopped = work.map(({ stop }) => stop());
    work = [];
    finder.rest();
    await Promise.all(stopped);
  };

  return {
    open: async (response, given) => {
      if (isStopping) throw stopping();
      // Of a client that left while it was found out who it is, no event comes that would free the slot.
      if (response.destroyed) return;
      const release = slots.take(given);
      const stream: Stream = { listener: { ...given }, response, hasBegun: false };
      open.add(stream);
      response.once('close', () => {
        open.delete(stream);
        release();
        if (open.size === 0) void rest();
      });
      // Before the client reads: whatever changes after its reads is told then.
      await finder.follow(given.accountId);
      if (isStopping) throw stopping();
      if (response.destroyed) return;
      beginEvents(response);
      stream.hasBegun = true;
      wake();
    },
    stop: async () => {
      isStopping = true;
      for (const stream of open) end(stream);
      await rest();
    },
  };
};

const stopping = () => new RequestError('unavailable', 'This process is stopping. Connect again.');
