import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { OAuth2Row } from './oauth2/schema.ts';
import type { CredentialRow, CredentialType } from './schema.ts';

type Stored = Omit<CredentialRow, 'oauth2'> & { [Name in keyof OAuth2Row]: OAuth2Row[Name] | null };

/** Credentials with the clients of those of type oauth2. */
const select = (sql: Sql) => sql`
  select c.id, c.name, c.type, c.param, c.hosts, c.created_at, c.updated_at, o.grant_type, o.token_url, o.client_id, o.auth_method,
    o.scope, o.audience, o.renewed_at, o.expires_at, coalesce(o.refusal, o.failure) as reason,
    case when o.refused_at is not null then 'reconnect' when o.failures > 0 then 'failing' when o.access_token is not null then 'connected'
      else 'waiting' end as state
  from credentials c left join oauth2_clients o on o.credential_id = c.id`;

const rowOf = (stored: Stored): CredentialRow => {
  const { grantType, tokenUrl, clientId, authMethod, state, scope, audience, reason, renewedAt, expiresAt, ...row } =
    stored;
  if (!grantType || !tokenUrl || !clientId || !authMethod || !state) return { ...row, oauth2: null };
  const client = { grantType, tokenUrl, clientId, authMethod, state, scope, audience, reason, renewedAt, expiresAt };
  return { ...row, oauth2: client };
};

/** A credential to be stored: `id` is a UUID, and `secret` is sealed for it. */
export type SealedCredential = {
  id: string;
  accountId: string;
  name: string;
  type: CredentialType;
  param: string | null;
  hosts: readonly string[];
  secret: Buffer;
};

/** Adds a credential, unless the account has `atMost` or one of this name. Answers whether it did. */
export const insertCredential = async (
  sql: Sql,
  { id, accountId, name, type, param, hosts, secret }: SealedCredential,
  atMost: number,
): Promise<boolean> => {
  const { count } = await sql`
    insert into credentials (id, account_id, name, type, param, hosts, secret)
    select ${id}, ${accountId}, ${name}, ${type}, ${param}, ${hosts}, ${secret}
    where (select count(*) from credentials where account_id = ${accountId}) < ${atMost}
    on conflict (account_id, name) do nothing`;
  return count > 0;
};

/** The account's credential, or undefined; `id` is its UUID. */
export const findCredential = async (sql: Sql, accountId: string, id: string): Promise<CredentialRow | undefined> => {
  const [row] = await sql<Stored[]>`${select(sql)} where c.account_id = ${accountId} and c.id = ${id}`;
  return row && rowOf(row);
};

/** The account's credential of this name, or undefined. */
export const findCredentialByName = async (
  sql: Sql,
  accountId: string,
  name: string,
): Promise<CredentialRow | undefined> => {
  const [row] = await sql<Stored[]>`${select(sql)} where c.account_id = ${accountId} and c.name = ${name}`;
  return row && rowOf(row);
};

/** A page of the account's credentials, newest first. */
export const listCredentials = async (sql: Sql, accountId: string, page: Page): Promise<CredentialRow[]> => {
  const rows = await sql<Stored[]>`${select(sql)} where c.account_id = ${accountId} ${pageOf(sql, page)}`;
  return rows.map(rowOf);
};

/** Replaces hosts and secret of a credential of this type; answers whether the account has it. */
export const updateCredential = async (
  sql: Sql,
  { id, accountId, type, param, hosts, secret }: Omit<SealedCredential, 'name'>,
): Promise<boolean> => {
  const { count } = await sql`
    update credentials set param = ${param}, hosts = ${hosts}, secret = ${secret}, updated_at = now()
    where account_id = ${accountId} and id = ${id} and type = ${type}`;
  return count > 0;
};

/** Deletes a credential that nothing uses. */
export const deleteCredential = async (sql: Sql, accountId: string, id: string): Promise<void> => {
  await sql`delete from credentials where account_id = ${accountId} and id = ${id}`;
};
