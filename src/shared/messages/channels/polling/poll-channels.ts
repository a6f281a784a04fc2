import { setTimeout as sleep } from 'node:timers/promises';
import { showId } from '../../../ids.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { startPeriodic } from '../../../platform/periodic.ts';
import type { Secrets } from '../../../platform/secrets/seal.ts';
import { kindOf, type ChannelKinds } from '../kinds.ts';
import { openConfig } from '../stored-config.ts';
import { claimChannels, releaseClaim, renewClaim, type Claim } from './claims.ts';
import { nothingTaken, takePolled, type TakeDeps, type TakenOfBatch } from './take-polled.ts';

export type PollDeps = TakeDeps & {
  db: Database;
  secrets: Secrets;
  channelKinds: ChannelKinds;
  processId: string;
};

/** The most channels that a process polls for, of all accounts and of one; how often it looks for more, and how long a poll waits, in ms. */
export const pollBounds = { total: 256, perAccount: 32, lookEveryMs: 1_000, waitMs: 25_000 };

/** The wait of a poll while other channels wait for their turn, in ms. */
const shortWaitMs = 1_000;

/** The pause after a fault of ours, while a chat waits for a file, and after the service has refused the config, in ms. */
const pauseMs = { fault: 2_000, file: 2_000, refused: 60_000 };

/** How often the lease is renewed while a batch is taken, whose files may take longer, in ms. */
const renewEveryMs = 30_000;

/** Where polling for a channel is: what the next poll confirms, what was taken beyond that, and whether another process may go on without a loss. */
type Place = { after: string | undefined; before: TakenOfBatch; mayEnd: boolean };

/**
 * Asks services for what contacts write, where the operator has it so: each channel by one process at a time, which has it by a lease in the channel's
 * row. What came is confirmed to the service after it is committed, so nothing is lost with a process; what comes again is known. Of more channels than a
 * process may have each gets its turn.
 */
export const startPolling = (
  deps: PollDeps,
  bounds: Partial<typeof pollBounds> = {},
): { stop: () => Promise<void> } => {
  const { db, channelKinds, processId, log } = deps;
  const { total, perAccount, lookEveryMs, waitMs } = { ...pollBounds, ...bounds };
  const types = Object.entries(channelKinds).flatMap(([type, { poll }]) => (poll ? [type] : []));
  if (types.length === 0) return { stop: async () => {} };
  const held = new Map<string, { claim: Claim; ended: Promise<void> }>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let isFull = false;
  let waiting: ReadonlySet<string> = new Set();

  /** Whether other channels need the place of one: any while this process is full, else those of its account. */
  const othersWait = ({ accountId }: Claim): boolean => (isFull ? waiting.size > 0 : waiting.has(accountId));

  /** One poll, and what follows from it. Answers how long nobody is to poll for the channel when it is to be given back. */
  const turn = async (claim: Claim, place: Place): Promise<Place | { backForMs: number }> => {
    const { after, before } = place;
    const stored = await renewClaim(db, claim, processId);
    if (!stored) return { backForMs: 0 };
    const { id, accountId } = claim;
    const channel = { id, accountId, config: openConfig(deps.secrets, { accountId, rowId: id }, stored) };
    const shortMs = after === undefined ? shortWaitMs : 0;
    const asked = { after, waitMs: othersWait(claim) ? Math.min(waitMs, shortMs) : waitMs, signal };
    const kind = kindOf(channelKinds, claim.type);
    const polled = await kind.poll?.(deps, channel, asked);
    if (!polled || polled.type === 'refused') return { backForMs: pauseMs.refused };
    if (polled.type === 'later') {
      await sleep(polled.retryAfterMs, undefined, { signal });
      return place;
    }
    const { updates, next } = polled;
    const batch = await whileRenewing(claim, () => takePolled(deps, { kind, channel }, { updates, before }));
    const left = updates.find(({ ref }) => !batch.taken.has(ref));
    if (!left) return { after: next, before: nothingTaken, mayEnd: next === undefined };
    await sleep(pauseMs.file, undefined, { signal });
    return { after: left.ref, before: batch, mayEnd: left.ref === after };
  };

  const whileRenewing = async <Result>(claim: Claim, work: () => Promise<Result>): Promise<Result> => {
    const renewing = setInterval(() => {
      renewClaim(db, claim, processId).catch((error: unknown) => {
        log.warn({ err: error, channel_id: showId('channel', claim.id) }, 'channel.not_renewed');
      });
    }, renewEveryMs);
    return work().finally(() => clearInterval(renewing));
  };

  const follow = async (claim: Claim): Promise<void> => {
    let backForMs = 0;
    try {
      let place: Place = { after: undefined, before: nothingTaken, mayEnd: true };
      // What was taken is confirmed before another process may have the channel, as far as no chat waits for a file before it.
      do {
        const next = await turn(claim, place);
        if ('backForMs' in next) {
          ({ backForMs } = next);
          break;
        }
        place = next;
      } while (!signal.aborted && !(othersWait(claim) && place.mayEnd));
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error, channel_id: showId('channel', claim.id) }, 'channel.poll_failed');
      backForMs = signal.aborted ? 0 : pauseMs.fault;
    }
    await releaseClaim(db, claim, { processId, forMs: backForMs }).catch((error: unknown) => {
      log.warn({ err: error, channel_id: showId('channel', claim.id) }, 'channel.not_released');
    });
  };

  const look = async (): Promise<void> => {
    const room = Math.max(0, total - held.size);
    const { claimed, waiting: left } = await claimChannels(
      db,
      { processId, held: [...held.values()].map(({ claim }) => claim) },
      { types, room, perAccount },
    );
    waiting = left;
    isFull = claimed.length >= room;
    for (const claim of claimed) {
      // A process whose reports are late may claim what it has.
      if (held.has(claim.id)) continue;
      const ended = follow(claim).finally(() => held.delete(claim.id));
      held.set(claim.id, { claim, ended });
    }
  };

  const looking = startPeriodic(look, { name: 'poll_channels', everyMs: lookEveryMs, log });
  return {
    stop: async () => {
      stopping.abort();
      await looking.stop();
      await Promise.all([...held.values()].map(({ ended }) => ended));
    },
  };
};
