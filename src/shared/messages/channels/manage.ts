import { found, invalid, RequestError } from '../../errors.ts';
import { newUuid, newUuidOf } from '../../ids.ts';
import { addInTurn } from '../../platform/db/add-in-turn.ts';
import { changed } from '../../facts/changed.ts';
import type { Writer } from '../../facts/tell.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import { createSigningSecret } from '../../signing/create-secret.ts';
import { releaseFilesOfParts } from './arrivals/album-parts.ts';
import { addConnected, changeConnection, endConnection, type ConnectDeps } from './connect.ts';
import type { ChannelConfig, ChannelKind, ConfigChange, Identified, StoredConfig } from './kind.ts';
import { kindOf, type ChannelKinds } from './kinds.ts';
import {
  deleteChannelRow,
  findStoredChannel,
  hasChannels,
  insertChannel,
  lockChannel,
  updateChannelRow,
  type NewChannelRow,
} from './queries.ts';
import { channelsPerAccount, type ChannelChanges, type ChannelRow, type NewChannel } from './schema.ts';
import { storeConfig } from './stored-config.ts';

type ChannelDeps = ConnectDeps & { channelKinds: ChannelKinds };

/** A secret that was made, which its answer shows; undefined where the caller gave one, or none is needed. */
type Made = { made: string | undefined };

type Place = { accountId: string; rowId: string };

const store = (
  kind: ChannelKind,
  secrets: Secrets,
  { place, ...given }: { place: Place; config: ChannelConfig; present: StoredConfig | undefined },
): { change: ConfigChange } & Made =>
  kind.store?.(secrets, place, given) ?? {
    change: storeConfig({ declaration: kind.declaration, secrets }, place, given),
    made: undefined,
  };

/**
 * Prepares a new channel before the transaction, because no transaction may wait for others: checks its config, and makes a secret where it needs
 * one. Where a service has to be connected, it adds the row first (`created`), and then calls the service. `seed` is of a request that may come again: the
 * channel that the same request has added is answered. Throws `invalid_request` for a config that
 * cannot be, `conflict` for an account of a service that has a channel, and `unavailable` when the service does not answer.
 */
export const prepareChannel = async (
  deps: ChannelDeps,
  accountId: string,
  { type, name, ...config }: NewChannel,
  seed?: Buffer,
): Promise<{ row: NewChannelRow; created?: ChannelRow } & Made> => {
  const kind = kindOf(deps.channelKinds, type);
  const problems = (await kind.checks?.findProblems(deps, accountId, config)) ?? [];
  if (problems.length > 0) throw invalid(problems);
  const id = seed ? newUuidOf(seed) : newUuid();
  const place = { accountId, rowId: id };
  const { change, made } = store(kind, deps.secrets, { place, config, present: undefined });
  const { callbackUrl = null, config: open = null, secret } = change;
  const row = { id, type, name, callbackUrl, config: open, secret: secret?.secret ?? null };
  if (!kind.connection) return { row, made };
  const add = (tx: Writer, { ref, told }: Identified) =>
    createChannel(tx, accountId, { ...row, externalRef: ref, config: { ...row.config, ...told } });
  const channel = { id, accountId, type, config };
  return { row, made, created: await addConnected(deps, kind.connection, { channel, add }) };
};

/**
 * Adds a channel. Within a transaction they are added one after the other, so that the bound is exact. Throws `conflict` when the account has as many
 * as it may.
 */
export const createChannel = async (
  { sql, tell }: Writer,
  accountId: string,
  row: NewChannelRow,
): Promise<ChannelRow> => {
  await addInTurn(sql, 'channels', accountId);
  if (await hasChannels(sql, accountId, channelsPerAccount))
    throw new RequestError('conflict', `An account has at most ${channelsPerAccount} channels.`);
  await tell(changed(accountId, 'channels'));
  return insertChannel(sql, accountId, row);
};

/**
 * Changes name or config; the next send uses them. Throws `not_found`, and what `prepareChannel` throws: the channel is then as it was.
 */
export const updateChannel = async (
  deps: ChannelDeps,
  accountId: string,
  { id, changes: { name, ...config } }: { id: string; changes: ChannelChanges },
): Promise<{ row: ChannelRow } & Made> => {
  const before = found('channel', await findStoredChannel(deps.db, accountId, id));
  const { type } = before;
  const kind = kindOf(deps.channelKinds, type);
  const { shape } = kind.declaration.config;
  const foreign = Object.keys(config).filter((field) => !Object.hasOwn(shape, field));
  const message = `is no field of a channel of type ${type}`;
  if (foreign.length > 0) throw invalid(foreign.map((path) => ({ path, message, code: 'unknown_field' })));
  const problems = (await kind.checks?.findProblems(deps, accountId, config)) ?? [];
  if (problems.length > 0) throw invalid(problems);
  const place = { accountId, rowId: id };
  const change = (known?: Identified): Promise<{ row: ChannelRow } & Made> =>
    deps.transact(async ({ sql, tell }) => {
      const present = found('channel', await lockChannel(sql, accountId, id));
      const hasConfig = Object.keys(config).length > 0;
      const { change: stored, made } = hasConfig
        ? store(kind, deps.secrets, { place, config, present })
        : { change: {}, made: undefined };
      const named = { ...(name !== undefined && { name }), ...(known && { externalRef: known.ref }) };
      const told = known?.told && { config: { ...stored.config, ...known.told } };
      await tell(changed(accountId, 'channels'));
      return { row: await updateChannelRow(sql, id, { ...stored, ...told, ...named }), made };
    });
  if (!kind.connection || Object.keys(config).length === 0) return change();
  return changeConnection(deps, kind.connection, { channel: { id, accountId, type }, before, config, change });
};

/** Removes a channel. Its conversations stay; nothing comes in or goes out over it any more. Throws `not_found`. */
export const deleteChannel = async (deps: ChannelDeps, accountId: string, id: string): Promise<void> => {
  const before = await deps.transact(async ({ sql, tell }) => {
    const present = found('channel', await lockChannel(sql, accountId, id));
    await releaseFilesOfParts(sql, { id, accountId });
    await deleteChannelRow(sql, id);
    await tell(changed(accountId, 'channels'));
    return present;
  });
  const { connection } = kindOf(deps.channelKinds, before.type);
  if (connection) await endConnection(deps, connection, { channel: { id, accountId, type: before.type }, before });
};

/**
 * Replaces the secret by a new one, and answers it. The replaced one signs beside it for a day. Throws `not_found`, and `conflict` for a channel of
 * a kind that makes no secrets.
 */
export const rotateChannelSecret = async (
  { sql, tell, secrets, channelKinds }: Writer & Pick<ChannelDeps, 'secrets' | 'channelKinds'>,
  { accountId, id }: { accountId: string; id: string },
): Promise<string> => {
  const present = found('channel', await lockChannel(sql, accountId, id));
  const kind = kindOf(channelKinds, present.type);
  if (!kind.store) throw new RequestError('conflict', `A channel of type ${present.type} has no secret to replace.`);
  const secret = createSigningSecret();
  const { change } = kind.store(secrets, { accountId, rowId: id }, { config: { secret }, present });
  await updateChannelRow(sql, id, change);
  await tell(changed(accountId, 'channels'));
  return secret;
};
