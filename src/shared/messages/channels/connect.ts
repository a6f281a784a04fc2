import postgres from 'postgres';
import { conflictWith, invalid, RequestError } from '../../errors.ts';
import { haveOneSeed, showId } from '../../ids.ts';
import type { Database } from '../../platform/db/connect.ts';
import { changed } from '../../facts/changed.ts';
import type { EventTransact, Writer } from '../../facts/tell.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Logger } from '../../platform/log.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { ChannelConfig, Connection, Identified, Refusal } from './kind.ts';
import {
  deleteChannelRow,
  findChannel,
  findConnected,
  lockChannel,
  noteConnectedBase,
  updateChannelRow,
  type StoredChannel,
} from './queries.ts';
import type { ChannelRow } from './schema.ts';
import { openConfig } from './stored-config.ts';

export type ConnectDeps = {
  db: Database;
  transact: EventTransact;
  egress: Egress;
  secrets: Secrets;
  log: Logger;
  config: { baseUrl: string };
};

type Which = { id: string; accountId: string; type: string };

/** The public address of a channel, to which its service sends; the id is a UUID. */
export const publicUrl = (baseUrl: string, { id, type }: Pick<Which, 'id' | 'type'>): string =>
  `${baseUrl}/${type}/${showId('channel', id)}`;

/**
 * Adds a channel and connects it. The row comes first, so that two channels never have one account of a service: the second would take the
 * messages of the first. A channel that is refused is removed again. What the same request has added before, whose answer was lost, is connected again.
 */
export const addConnected = async (
  deps: ConnectDeps,
  connection: Connection,
  {
    channel,
    add,
  }: { channel: Which & { config: ChannelConfig }; add: (tx: Writer, known: Identified) => Promise<ChannelRow> },
): Promise<ChannelRow> => {
  const known = await identify(deps, connection, channel);
  const again = (id: string) => connectAgain(deps, connection, { ...channel, id });
  return asOnly(deps, { channel, ref: known.ref, again }, async () => {
    const row = await deps.transact((tx) => add(tx, known));
    try {
      await connect(deps, connection, channel);
    } catch (error) {
      await deps.transact(async ({ sql, tell }) => {
        await deleteChannelRow(sql, channel.id);
        await tell(changed(channel.accountId, 'channels'));
      });
      throw error;
    }
    return row;
  });
};

/** Connects a channel that is there, unless whoever has added it removes it meanwhile. */
const connectAgain = async (
  deps: ConnectDeps,
  connection: Connection,
  channel: Which & { config: ChannelConfig },
): Promise<ChannelRow> => {
  await connect(deps, connection, channel);
  const row = await findChannel(deps.db, channel.accountId, channel.id);
  if (!row) throw refusalOf({ type: 'unreachable' });
  return row;
};

/** Changes a channel, and connects it as it is then. One that is refused gets its config of before back. */
export const changeConnection = async <Changed>(
  deps: ConnectDeps,
  connection: Connection,
  {
    channel,
    before,
    config,
    change,
  }: {
    channel: Which;
    before: StoredChannel;
    config: ChannelConfig;
    change: (known: Identified) => Promise<Changed>;
  },
): Promise<Changed> => {
  const present = openConfig(deps.secrets, { accountId: channel.accountId, rowId: channel.id }, before);
  const next = { ...channel, config: { ...present, ...config } };
  const known = await identify(deps, connection, { ...next, connectedTo: before.externalRef });
  const changed = await asOnly(deps, { channel, ref: known.ref }, () => change(known));
  try {
    await connect(deps, connection, next);
  } catch (error) {
    await putBack(deps, channel, before);
    throw error;
  }
  if (known.ref !== before.externalRef) await endConnection(deps, connection, { channel, before });
  return changed;
};

/** Ends the connection that a channel had. It is over here whatever the service says of it. */
export const endConnection = async (
  { egress, secrets, log }: ConnectDeps,
  connection: Connection,
  { channel, before }: { channel: Which; before: StoredChannel },
): Promise<void> => {
  try {
    const config = openConfig(secrets, { accountId: channel.accountId, rowId: channel.id }, before);
    await connection.disconnect({ egress }, { ...channel, config });
  } catch (error) {
    log.warn({ err: error, channel_id: showId('channel', channel.id) }, 'channel.disconnect_failed');
  }
};

const identify = async (
  { egress }: ConnectDeps,
  connection: Connection,
  { accountId, config, connectedTo = null }: { accountId: string; config: ChannelConfig; connectedTo?: string | null },
): Promise<Identified> => {
  const known = await connection.identify({ egress }, { accountId, config, connectedTo });
  if (known.type !== 'known') throw refusalOf(known);
  return known;
};

const connect = async (
  { db, egress, config: { baseUrl } }: ConnectDeps,
  connection: Connection,
  channel: Which & { config: ChannelConfig },
): Promise<void> => {
  const answer = await connection.connect({ egress }, { channel, url: publicUrl(baseUrl, channel) });
  if (answer.type !== 'connected') throw refusalOf(answer);
  await noteConnectedBase(db, channel.id, connection.isSentTo ? baseUrl : null);
};

const refusalOf = (refusal: Refusal): RequestError =>
  refusal.type === 'refused'
    ? invalid(refusal.problems)
    : new RequestError('unavailable', "The channel's service does not answer. Try again in a moment.");

const putBack = (deps: ConnectDeps, { id, accountId }: Which, before: StoredChannel): Promise<void> =>
  deps.transact(async ({ sql, tell }) => {
    if (!(await lockChannel(sql, accountId, id))) return;
    const { name, config, externalRef, secret } = before;
    const sealed = secret && { secret: { secret: Buffer.from(secret), previous: null } };
    await updateChannelRow(sql, id, { name, config, externalRef, ...sealed });
    await tell(changed(accountId, 'channels'));
  });

/** Ids of one seed that were made within a millisecond are the same. */
const uniqueChannels = new Set(['channels_external_ref', 'channels_pkey']);

type Only<Result> = { channel: Which; ref: string; again?: (id: string) => Promise<Result> };

/**
 * Does what gives a channel an account of a service. Throws `conflict` when another channel has it, which it names only to its own account. Where the same
 * request has made that one before, it does `again`.
 */
const asOnly = async <Result>(
  { db }: ConnectDeps,
  { channel: { id, type, accountId }, ref, again }: Only<Result>,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    const isTaken = error instanceof postgres.PostgresError && uniqueChannels.has(error.constraint_name ?? '');
    if (!isTaken) throw error;
    const other = await findConnected(db, { type, externalRef: ref });
    if (other?.accountId !== accountId)
      throw new RequestError('conflict', 'Another channel of this installation is connected with it already.');
    if (again && haveOneSeed(other.id, id)) return again(other.id);
    const message = `Channel ${showId('channel', other.id)} is already connected to it.`;
    throw conflictWith(message, { noun: 'channel', id: other.id });
  }
};
