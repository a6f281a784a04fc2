import { createSigningSecret } from '../../signing/create-secret.ts';
import { found, invalid, RequestError } from '../../errors.ts';
import { newUuid } from '../../ids.ts';
import { addInTurn } from '../../platform/db/add-in-turn.ts';
import type { Database, Sql } from '../../platform/db/connect.ts';
import type { Transact } from '../../platform/dispatch/transact.ts';
import type { Egress } from '../../platform/egress/client.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import { sealPrevious } from '../../signing/secrets.ts';
import { findUrlProblems } from '../../signing/url.ts';
import {
  hasChannels,
  insertChannel,
  lockChannel,
  updateChannelRow,
  type NewChannelRow,
  type NewSecret,
} from './queries.ts';
import { channelsPerAccount, type ChannelChanges, type ChannelRow, type NewChannel } from './schema.ts';

type ChannelDeps = { db: Database; transact: Transact; egress: Egress; secrets: Secrets };

/** A secret that was made, which its answer shows; undefined where the caller gave one, or none is needed. */
type Made = { made: string | undefined };

/**
 * Prepares a new channel: checks its url, which asks a name server, for which no transaction may wait, and makes a secret where it
 * needs one. Throws `invalid_request` for a url that may not be called.
 */
export const prepareChannel = async (
  deps: Pick<ChannelDeps, 'egress' | 'secrets'>,
  accountId: string,
  { type, name, callback_url: callbackUrl = null, secret: given }: NewChannel,
): Promise<{ row: NewChannelRow } & Made> => {
  await requireCallable(deps, accountId, callbackUrl);
  const id = newUuid();
  const made = given === undefined && callbackUrl !== null ? createSigningSecret() : undefined;
  const secret = given ?? made;
  const sealed = secret === undefined ? null : deps.secrets.seal(secret, { accountId, rowId: id });
  return { row: { id, type, name, callbackUrl, secret: sealed }, made };
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

/**
 * Changes name, url or secret, in force at once. A channel that gets its first url gets a secret, too. Throws `not_found`, and
 * `invalid_request` for a url that may not be called.
 */
export const updateChannel = async (
  deps: ChannelDeps,
  accountId: string,
  { id, changes: { name, callback_url: callbackUrl, secret: given } }: { id: string; changes: ChannelChanges },
): Promise<{ row: ChannelRow } & Made> => {
  await requireCallable(deps, accountId, callbackUrl ?? null);
  return deps.transact(async ({ sql }) => {
    const channel = found('channel', await lockChannel(sql, accountId, id));
    const needsOne = channel.secret === null && typeof callbackUrl === 'string';
    const made = given === undefined && needsOne ? createSigningSecret() : undefined;
    const next = given ?? made;
    const secret = next === undefined ? undefined : sealNext(deps, { accountId, id, replaced: channel.secret, next });
    const row = await updateChannelRow(sql, id, {
      ...(name !== undefined && { name }),
      ...(callbackUrl !== undefined && { callbackUrl }),
      ...(secret && { secret }),
    });
    return { row, made };
  });
};

/** Replaces the secret by a new one, and answers it. The replaced one signs beside it for a day. Throws `not_found`. */
export const rotateChannelSecret = async (
  { sql, secrets }: { sql: Sql; secrets: Secrets },
  { accountId, id }: { accountId: string; id: string },
): Promise<string> => {
  const { secret: replaced } = found('channel', await lockChannel(sql, accountId, id));
  const next = createSigningSecret();
  const secret = sealNext({ secrets }, { accountId, id, replaced, next });
  await updateChannelRow(sql, id, secret ? { secret } : {});
  return next;
};

const requireCallable = async (
  { egress }: Pick<ChannelDeps, 'egress'>,
  accountId: string,
  url: string | null,
): Promise<void> => {
  const problems = url === null ? [] : await findUrlProblems(egress, { accountId, url, path: 'callback_url' });
  if (problems.length > 0) throw invalid(problems);
};

/** The new secret with the one that it replaces. Undefined when they are the same. */
const sealNext = (
  { secrets }: Pick<ChannelDeps, 'secrets'>,
  { accountId, id, replaced, next }: { accountId: string; id: string; replaced: Buffer | null; next: string },
): NewSecret | undefined => {
  const place = { accountId, rowId: id };
  const previous = replaced === null ? null : sealPrevious(secrets, place, { replaced, next });
  return previous === undefined ? undefined : { secret: secrets.seal(next, place), previous };
};
