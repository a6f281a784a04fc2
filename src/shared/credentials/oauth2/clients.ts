import { invalid } from '../../errors.ts';
import type { Sql } from '../../platform/db/connect.ts';
import type { Secrets } from '../../platform/secrets/seal.ts';
import type { CredentialReplacement } from '../schema.ts';

type Place = { accountId: string; id: string };

/** The client of a credential of type oauth2. */
export type ClientInput = Extract<CredentialReplacement, { type: 'oauth2' }>;

/** Adds the client of a new credential. */
export const insertClient = async (
  sql: Sql,
  secrets: Secrets,
  { accountId, id }: Place,
  input: ClientInput,
): Promise<void> => {
  const { grant_type, token_url, client_id, client_secret, auth_method, scope, audience, refresh_token } = input;
  const seal = (secret: string) => secrets.seal(secret, { accountId, rowId: id });
  await sql`
    insert into oauth2_clients (credential_id, account_id, grant_type, token_url, client_id, auth_method, scope, audience, client_secret,
      refresh_token)
    values (${id}, ${accountId}, ${grant_type}, ${token_url}, ${client_id}, ${auth_method}, ${scope ?? null}, ${audience ?? null},
      ${seal(client_secret)}, ${refresh_token === undefined ? null : seal(refresh_token)})`;
};

/**
 * Replaces a client, and ends its access token. The stored refresh token, which only Parley knows once the service has replaced it, may be kept;
 * throws `invalid_request` where it may not. Call it before the hosts are replaced.
 */
export const replaceClient = async (
  sql: Sql,
  secrets: Secrets,
  { accountId, id }: Place,
  input: ClientInput,
): Promise<void> => {
  const [stored] = await sql<Stored[]>`
    select o.token_url, o.client_id, o.refresh_token, c.hosts
    from oauth2_clients o join credentials c on c.id = o.credential_id
    where o.credential_id = ${id} and o.account_id = ${accountId} for update of o`;
  if (!stored) return;
  const place = { accountId, rowId: id };
  const keeps = input.grant_type === 'refresh_token' && input.refresh_token === undefined;
  if (keeps && !mayKeep(stored, input))
    throw invalid({
      path: 'refresh_token',
      message: 'is required: the token endpoint or the client has changed, or hosts are added',
    });
  const { grant_type, token_url, client_id, client_secret, auth_method, scope, audience, refresh_token } = input;
  const given = refresh_token === undefined ? null : secrets.seal(refresh_token, place);
  await sql`
    update oauth2_clients set grant_type = ${grant_type}, token_url = ${token_url}, client_id = ${client_id},
      auth_method = ${auth_method}, scope = ${scope ?? null}, audience = ${audience ?? null},
      client_secret = ${secrets.seal(client_secret, place)}, refresh_token = ${keeps ? stored.refreshToken : given},
      access_token = null, version = version + 1, renewed_at = null, refresh_at = null, expires_at = null, rejected_at = null,
      lease = null, leased_until = null, in_doubt = false, failures = 0, failure = null, failed_at = null, retry_at = null,
      refused_at = null, refusal = null
    where credential_id = ${id} and account_id = ${accountId}`;
};

type Stored = {
  tokenUrl: string;
  clientId: string;
  refreshToken: Buffer | null;
  hosts: string[];
};

/** The stored token goes on to the same endpoint and the same hosts only: whoever wants another one has to know it. */
const mayKeep = (stored: Stored, input: ClientInput): boolean =>
  stored.refreshToken !== null &&
  stored.tokenUrl === input.token_url &&
  stored.clientId === input.client_id &&
  input.hosts.every((host) => stored.hosts.includes(host));
