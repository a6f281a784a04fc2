import { found, invalid, RequestError } from '../../errors.ts';
import { newUuid } from '../../ids.ts';
import { addInTurn } from '../../platform/db/add-in-turn.ts';
import type { Database, Sql } from '../../platform/db/connect.ts';
import type { Transact } from '../../platform/dispatch/transact.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import { createSigningSecret } from '../../signing/create-secret.ts';
import { channelKinds } from './kinds.ts';
import {
  findChannelType,
  hasChannels,
  insertChannel,
  lockChannel,
  updateChannelRow,
  type NewChannelRow,
} from './queries.ts';
import { channelsPerAccount, type ChannelChanges, type ChannelRow, type NewChannel } from './schema.ts';

type ChannelDeps = { db: Database; transact: Transact; egress: Egress; secrets: Secrets };

/** A secret that was made, which its answer shows; undefined where the caller gave one, or none is needed. */
type Made = { made: string | undefined };

/**
 * Prepares a new channel: checks its config, which may ask others, for which no transaction may wait, and makes a secret where it needs one. Throws
 * `invalid_request` for a config that cannot be.
 */
export const prepareChannel = async (
  deps: Pick<ChannelDeps, 'egress' | 'secrets'>,
  accountId: string,
  { type, name, ...config }: NewChannel,
): Promise<{ row: NewChannelRow } & Made> => {
  const kind = channelKinds[type].config;
  const problems = await kind.findProblems(deps, accountId, config);
  if (problems.length > 0) throw invalid(problems);
  const id = newUuid();
  const { stored, made } = kind.store(deps.secrets, { accountId, rowId: id }, { config });
  const { callbackUrl = null, secret } = stored;
  return { row: { id, type, name, callbackUrl, secret: secret?.secret ?? null }, made };
};

/**
 * Adds a channel. Within a transaction they are added one after the other, so that the bound is exact. Throws `conflict` when the account has as many
 * as it may.
 */
export const createChannel = async (sql: Sql, accountId: string, row: NewChannelRow): Promise<ChannelRow> => {
  await addInTurn(sql, 'channels', accountId);
  if (await hasChannels(sql, accountId, channelsPerAccount))
    throw new RequestError('conflict', `An account has at most ${channelsPerAccount} channels.`);
  return insertChannel(sql, accountId, row);
};

/** Changes name or config; the next send uses them. Throws `not_found`, and `invalid_request` for a config that cannot be. */
export const updateChannel = async (
  deps: ChannelDeps,
  accountId: string,
  { id, changes: { name, ...config } }: { id: string; changes: ChannelChanges },
): Promise<{ row: ChannelRow } & Made> => {
  const kind = channelKinds[found('channel', await findChannelType(deps.db, accountId, id))].config;
  const problems = await kind.findProblems(deps, accountId, config);
  if (problems.length > 0) throw invalid(problems);
  return deps.transact(async ({ sql }) => {
    const present = found('channel', await lockChannel(sql, accountId, id));
    const { stored, made } = kind.store(deps.secrets, { accountId, rowId: id }, { config, present });
    return { row: await updateChannelRow(sql, id, { ...stored, ...(name !== undefined && { name }) }), made };
  });
};

/** Replaces the secret by a new one, and answers it. The replaced one signs beside it for a day. Throws `not_found`. */
export const rotateChannelSecret = async (
  { sql, secrets }: { sql: Sql; secrets: Secrets },
  { accountId, id }: { accountId: string; id: string },
): Promise<string> => {
  const present = found('channel', await lockChannel(sql, accountId, id));
  const secret = createSigningSecret();
  const { store } = channelKinds[present.type].config;
  const { stored } = store(secrets, { accountId, rowId: id }, { config: { secret }, present });
  await updateChannelRow(sql, id, stored);
  return secret;
};
