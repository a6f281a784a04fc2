import { changed } from '../../facts/changed.ts';
import type { Writer } from '../../facts/tell.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { authMethods, grantTypes } from './schema.ts';

/** Which token of which credential is meant; ids are UUIDs. `version` counts tokens and replaced secrets. */
export type TokenKey = { accountId: string; credentialId: string; version: number };

/** A client with its secrets, for the moment of asking for a token. */
export type OpenClient = {
  grantType: (typeof grantTypes)[number];
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  authMethod: (typeof authMethods)[number];
  scope: string | null;
  audience: string | null;
  refreshToken: string | null;
  /** Its refresh token was sent before, and no answer is recorded. */
  wasInDoubt: boolean;
};

/** How long whoever asks for a token has for it, in ms. Longer than an exchange, and shorter than what services grant for a repetition. */
const leaseMs = 20_000;

/** The pause after an exchange that failed. Each further one doubles it. */
const pause = { firstMs: 1_000, longestMs: 60_000 };

/** What somebody meets who needs another token than the one of a version. */
export type Claimed =
  | { type: 'mine'; version: number; client: OpenClient }
  /** There is a newer one, or none is to be had. */
  | { type: 'settled' }
  /** Another process is at it. */
  | { type: 'leased' }
  /** The last exchange failed, and its pause is not over. */
  | { type: 'paused'; leftMs: number; code: string };

/** Takes the lease of a credential whose token is due, under a name of the caller's own, unless somebody has it. */
export const claimToken = async (
  { sql, tell }: Writer,
  secrets: Secrets,
  { accountId, credentialId, lease }: Omit<TokenKey, 'version'> & { lease: string },
): Promise<Claimed> => {
  type Row = Omit<OpenClient, 'clientSecret' | 'refreshToken'> & {
    version: number;
    clientSecret: Buffer;
    refreshToken: Buffer | null;
  };
  const [mine] = await sql<Row[]>`
    update oauth2_clients as c set lease = ${lease}, leased_until = clock_timestamp() + ${leaseMs} * interval '1 ms',
      in_doubt = c.grant_type = 'refresh_token'
    where c.credential_id = ${credentialId} and c.account_id = ${accountId} and c.refused_at is null
      and (c.refresh_at is null or c.refresh_at <= clock_timestamp())
      and (c.leased_until is null or c.leased_until <= clock_timestamp())
      and (c.retry_at is null or c.retry_at <= clock_timestamp())
    returning c.version::int, c.grant_type, c.token_url, c.client_id, c.client_secret, c.auth_method, c.scope, c.audience,
      c.refresh_token, old.in_doubt as was_in_doubt`;
  if (mine) {
    await tell(changed(accountId, 'credentials'));
    const { version, clientSecret, refreshToken, ...client } = mine;
    const open = (sealed: Buffer) => secrets.open(sealed, { accountId, rowId: credentialId });
    return {
      type: 'mine',
      version,
      client: { ...client, clientSecret: open(clientSecret), refreshToken: refreshToken && open(refreshToken) },
    };
  }
  const [row] = await sql<{ isDue: boolean; isLeased: boolean; leftMs: number; failure: string | null }[]>`
    select refused_at is null and (refresh_at is null or refresh_at <= clock_timestamp()) as is_due,
      coalesce(leased_until > clock_timestamp(), false) as is_leased, failure,
      coalesce(extract(epoch from retry_at - clock_timestamp()) * 1000, 0)::float8 as left_ms
    from oauth2_clients where credential_id = ${credentialId} and account_id = ${accountId}`;
  if (!row?.isDue) return { type: 'settled' };
  if (row.isLeased) return { type: 'leased' };
  return { type: 'paused', leftMs: Math.max(0, row.leftMs), code: row.failure ?? 'connect' };
};

/** What ends a lease: the version with which it began, and its name. */
export type Held = TokenKey & { lease: string };

/**
 * Writes a new token down, and a rotated refresh token with it, before anybody uses either. It does so also after the lease has run out, as long as
 * the version is the same: what the service has replaced is of no more use. Answers false when the secrets were replaced meanwhile.
 */
export const writeToken = async (
  { sql, tell }: Writer,
  secrets: Secrets,
  { accountId, credentialId, version }: TokenKey,
  { accessToken, refreshToken, lifeMs }: { accessToken: string; refreshToken: string | undefined; lifeMs: number },
): Promise<boolean> => {
  const seal = (secret: string) => secrets.seal(secret, { accountId, rowId: credentialId });
  const rotated = refreshToken === undefined ? null : seal(refreshToken);
  const { count } = await sql`
    update oauth2_clients set access_token = ${seal(accessToken)}, version = version + 1,
      refresh_token = case when grant_type = 'refresh_token' then coalesce(${rotated}, refresh_token) end,
      renewed_at = clock_timestamp(), refresh_at = clock_timestamp() + ${lifeMs * refreshedAt}::float8 * interval '1 ms',
      expires_at = clock_timestamp() + ${lifeMs}::float8 * interval '1 ms', ${rested(sql)}
    where credential_id = ${credentialId} and account_id = ${accountId} and version = ${version}`;
  if (count > 0) await tell(changed(accountId, 'credentials'));
  return count > 0;
};

/** The share of its life after which a token is refreshed. */
const refreshedAt = 0.8;

/** Nobody asks, and nothing has failed. */
const rested = (sql: Sql) => sql`
  lease = null, leased_until = null, in_doubt = false, failures = 0, failure = null, failed_at = null, retry_at = null`;

/** Gives the lease back without a token. After a failure nobody asks again for a moment; where nobody was asked there is none. */
export const giveBack = async (
  { sql, tell }: Writer,
  { accountId, credentialId, lease }: Held,
  failed: { code: string; inDoubt: boolean } | { wasInDoubt: boolean },
): Promise<void> => {
  const isFailure = 'code' in failed;
  const inDoubt = isFailure ? failed.inDoubt : failed.wasInDoubt;
  const { count } = await sql`
    update oauth2_clients set lease = null, leased_until = null, in_doubt = ${inDoubt} and grant_type = 'refresh_token'
      ${
        isFailure
          ? sql`, failures = failures + 1, failure = ${failed.code}, failed_at = clock_timestamp(),
            retry_at = clock_timestamp() + least(${pause.longestMs}::float8, ${pause.firstMs}::float8 * 2 ^ least(failures, 20)) * interval '1 ms'`
          : sql``
      }
    where credential_id = ${credentialId} and account_id = ${accountId} and lease = ${lease}`;
  if (count > 0) await tell(changed(accountId, 'credentials'));
};

/** Writes down that the token endpoint has refused. Answers false when another process has a token, or the secrets were replaced. */
export const refuseToken = async (
  { sql, tell }: Writer,
  { accountId, credentialId, version, lease }: Held,
  code: string,
): Promise<boolean> => {
  const { count } = await sql`
    update oauth2_clients set access_token = null, refresh_at = null, expires_at = null, ${rested(sql)},
      refused_at = clock_timestamp(), refusal = ${code}
    where credential_id = ${credentialId} and account_id = ${accountId} and version = ${version} and lease = ${lease}`;
  if (count > 0) await tell(changed(accountId, 'credentials'));
  return count > 0;
};

/** Lets the token endpoint be asked again with the same secrets. Owners get no second mail about them. */
export const forgetRefusal = async (
  { sql, tell }: Writer,
  { accountId, credentialId }: Omit<TokenKey, 'version'>,
): Promise<void> => {
  const { count } = await sql`
    update oauth2_clients set refused_at = null, refusal = null
    where credential_id = ${credentialId} and account_id = ${accountId} and refused_at is not null`;
  if (count > 0) await tell(changed(accountId, 'credentials'));
};

/** No two 401 within this time, in ms, have a token renewed: a service that refuses every token would have one made for each request. */
const rejectionPauseMs = 10_000;

/** Ends the life of a token to which a service has answered 401. Answers whether there is another one, or one is to be had. */
export const rejectToken = async (
  { sql, tell }: Writer,
  { accountId, credentialId, version }: TokenKey,
): Promise<boolean> => {
  const { count } = await sql`
    update oauth2_clients set refresh_at = clock_timestamp(), expires_at = clock_timestamp(), rejected_at = clock_timestamp()
    where credential_id = ${credentialId} and account_id = ${accountId} and version = ${version}
      and expires_at > clock_timestamp()
      and (rejected_at is null or rejected_at < clock_timestamp() - ${rejectionPauseMs} * interval '1 ms')`;
  if (count > 0) await tell(changed(accountId, 'credentials'));
  const [row] = await sql<{ isOther: boolean }[]>`
    select refused_at is null and (version <> ${version} or expires_at <= clock_timestamp()) as is_other
    from oauth2_clients where credential_id = ${credentialId} and account_id = ${accountId}`;
  return row?.isOther ?? false;
};
