import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';
import { addInTurn } from '../platform/db/add-in-turn.ts';
import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import { createToken, hashToken } from '../platform/secrets/tokens.ts';
import type { Plan } from './plans.ts';
import { RequestError } from '../errors.ts';
import { apiKeysPerAccount, type ApiKeyRow } from './schema.ts';

const keyPrefix = 'parley_';
/** The characters of a key that are shown: enough to tell the keys of an account apart, far too few to guess the rest. */
const visibleCharacters = keyPrefix.length + 6;

/** Creates a key: its value, which is shown once, and the prefix and hash that are stored instead. */
export const mintApiKey = (): { value: string; prefix: string; hash: Buffer } => {
  const value = createToken(keyPrefix);
  return { value, prefix: value.slice(0, visibleCharacters), hash: hashToken(value) };
};

/** Who an API key speaks for; ids are UUIDs. */
type KeyHolder = { accountId: string; plan: Plan; apiKeyId: string };

/**
 * The account behind a key, or undefined for an unknown or revoked one (specification 5.3). Every request asks, so a revocation is effective
 * with the next one. The use is recorded once a minute, so that a busy key does not make a busy row.
 */
export const findKeyHolder = async (
  sql: Sql,
  value: string,
  onNoted: (accountId: string) => void = () => {},
): Promise<KeyHolder | undefined> => {
  const [holder] = await sql<(KeyHolder & { isNoted: boolean })[]>`
    select k.id as api_key_id, k.account_id, a.plan, not ${isUnnoted(sql)} as is_noted
    from api_keys k join accounts a on a.id = k.account_id
    where k.key_hash = ${hashToken(value)} and k.revoked_at is null`;
  if (!holder) return undefined;
  const { isNoted, ...known } = holder;
  if (!isNoted) {
    await sql`update api_keys k set last_used_at = now() where k.id = ${known.apiKeyId} and ${isUnnoted(sql)}`;
    onNoted(known.accountId);
  }
  return known;
};

/** SQL: whether the last use of a key `k` that is noted is over a minute ago. */
const isUnnoted = (sql: Sql) => sql`(k.last_used_at is null or k.last_used_at < now() - interval '1 minute')`;

/**
 * Adds a key to the account. `value` is shown once (specification 5.4). Within a transaction keys are added one after the other, so that the bound
 * is exact. Throws `conflict` when the account has as many as it may.
 */
export const createApiKey = async (
  { sql, tell }: Writer,
  accountId: string,
  name: string,
): Promise<{ row: ApiKeyRow; value: string }> => {
  await addInTurn(sql, 'api_keys', accountId);
  const { count } = await sql`
    select from api_keys where account_id = ${accountId} and revoked_at is null limit ${apiKeysPerAccount}`;
  if (count >= apiKeysPerAccount)
    throw new RequestError('conflict', `An account has at most ${apiKeysPerAccount} API keys: revoke one first.`);
  const { value, prefix, hash } = mintApiKey();
  const [row] = await sql<[ApiKeyRow]>`
    insert into api_keys (account_id, name, prefix, key_hash) values (${accountId}, ${name}, ${prefix}, ${hash})
    returning id, name, prefix, created_at, last_used_at, revoked_at`;
  await tell(changed(accountId, 'api-keys'));
  return { row, value };
};

/** The account's keys, newest first, also those that were revoked and that retention has not removed yet. */
export const listApiKeys = (sql: Sql, accountId: string, page: Page): Promise<ApiKeyRow[]> => sql<ApiKeyRow[]>`
  select id, name, prefix, created_at, last_used_at, revoked_at from api_keys
  where account_id = ${accountId} ${pageOf(sql, page)}`;

/** Revokes a key, effective with the next request. False when the account has no such key. A second time changes nothing. */
export const revokeApiKey = async ({ sql, tell }: Writer, accountId: string, id: string): Promise<boolean> => {
  const rows = await sql`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where account_id = ${accountId} and id = ${id} returning id`;
  if (rows.length > 0) await tell(changed(accountId, 'api-keys'));
  return rows.length > 0;
};
