import { setTimeout as sleep } from 'node:timers/promises';
import { showId } from '../../ids.ts';
import type { Database } from '../../platform/db/connect.ts';
import { publicUrl, type ConnectDeps } from './connect.ts';
import type { Connection } from './kind.ts';
import type { ChannelKinds } from './kinds.ts';
import { findStoredChannel, noteConnectedBase } from './queries.ts';
import { openConfig } from './stored-config.ts';

type Deps = Omit<ConnectDeps, 'transact'> & { channelKinds: ChannelKinds };

/** A channel whose service sends elsewhere; ids are UUIDs. */
type Elsewhere = { id: string; accountId: string; type: string };

/** The most channels that are connected at a time and looked for at a time, and the pauses between rounds while a service is away, in ms. */
const bounds = { atOnce: 8, perRound: 10_000, pausesMs: [5_000, 30_000, 120_000, 300_000] };

/** Channels of these types whose service sends elsewhere than to `baseUrl`: the first one of each account, then the second, and so on. */
const listElsewhere = (
  db: Database,
  { types, baseUrl, without }: { types: readonly string[]; baseUrl: string; without: ReadonlySet<string> },
): Promise<Elsewhere[]> => db<Elsewhere[]>`
  select id, account_id, type from channels
  where type = any(${[...types]}) and external_ref is not null and deleted_at is null and connected_base is distinct from ${baseUrl}
    and id <> all(${[...without]}::uuid[])
  order by row_number() over (partition by account_id order by id), id limit ${bounds.perRound}`;

/**
 * Has the services of channels send to BASE_URL where that was another when they were connected. A service that does not answer is asked again
 * later, and one that refuses when a process starts the next time. Neither holds up the channels of others.
 */
export const startRenewing = (
  deps: Deps,
  { pausesMs = bounds.pausesMs }: { pausesMs?: readonly number[] } = {},
): { ended: Promise<void>; stop: () => Promise<void> } => {
  const { db, egress, secrets, channelKinds, log, config } = deps;
  const { baseUrl } = config;
  const connections = new Map<string, Connection>();
  for (const [type, { connection }] of Object.entries(channelKinds)) if (connection) connections.set(type, connection);
  const isSentTo = (wanted: boolean) =>
    [...connections].flatMap(([type, connection]) => (connection.isSentTo === wanted ? [type] : []));
  const stopping = new AbortController();
  const { signal } = stopping;
  const refused = new Set<string>();

  const renew = async ({ id, accountId, type }: Elsewhere): Promise<void> => {
    const stored = await findStoredChannel(db, accountId, id);
    const connection = connections.get(type);
    if (!stored || !connection) return;
    const told = { channel_id: showId('channel', id) };
    const channel = { id, accountId, config: openConfig(secrets, { accountId, rowId: id }, stored) };
    const answer = await connection.connect({ egress }, { channel, url: publicUrl(baseUrl, { id, type }) });
    if (answer.type === 'connected') {
      await noteConnectedBase(db, id, baseUrl);
      log.info(told, 'channel.connected_anew');
    } else if (answer.type === 'refused') {
      refused.add(id);
      log.warn({ ...told, problems: answer.problems }, 'channel.not_connected_anew');
    }
  };

  /** Answers how many channels are left. */
  const round = async (types: readonly string[]): Promise<number> => {
    const found = await listElsewhere(db, { types, baseUrl, without: refused });
    const next = found.values();
    const work = async (): Promise<void> => {
      for (const one of next) {
        if (signal.aborted) return;
        await renew(one).catch((error: unknown) => {
          log.warn({ err: error, channel_id: showId('channel', one.id) }, 'channel.not_connected_anew');
        });
      }
    };
    await Promise.all(Array.from({ length: bounds.atOnce }, work));
    const left = await listElsewhere(db, { types, baseUrl, without: refused });
    return left.length;
  };

  const run = async (): Promise<void> => {
    for (let made = 0; !signal.aborted; made += 1) {
      try {
        // A service that is asked for messages sends nowhere: it has to be told again once it is to send.
        await db`
          update channels set connected_base = null where type = any(${isSentTo(false)}) and connected_base is not null`;
        if ((await round(isSentTo(true))) === 0) return;
      } catch (error) {
        log.warn({ err: error }, 'channels.renewal_failed');
      }
      await sleep(pausesMs[Math.min(made, pausesMs.length - 1)], undefined, { signal }).catch(() => {});
    }
  };
  const ended = run();
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
};
