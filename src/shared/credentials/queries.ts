import type { Sql } from '../platform/db/connect.ts';
import { pageOf, type Page } from '../platform/db/page.ts';
import type { CredentialRow, CredentialType } from './schema.ts';

const columns = (sql: Sql) => sql`id, name, type, param, hosts, created_at, updated_at`;

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

/** Adds a credential, unless the account has `atMost` or one of this name. */
export const insertCredential = async (
  sql: Sql,
  { id, accountId, name, type, param, hosts, secret }: SealedCredential,
  atMost: number,
): Promise<CredentialRow | undefined> => {
  const [row] = await sql<CredentialRow[]>`
    insert into credentials (id, account_id, name, type, param, hosts, secret)
    select ${id}, ${accountId}, ${name}, ${type}, ${param}, ${hosts}, ${secret}
    where (select count(*) from credentials where account_id = ${accountId}) < ${atMost}
    on conflict (account_id, name) do nothing
    returning ${columns(sql)}`;
  return row;
};

/** The account's credential, or undefined; `id` is its UUID. */
export const findCredential = async (sql: Sql, accountId: string, id: string): Promise<CredentialRow | undefined> => {
  const [row] = await sql<CredentialRow[]>`
    select ${columns(sql)} from credentials where account_id = ${accountId} and id = ${id}`;
  return row;
};

/** The account's credential of this name, or undefined. */
export const findCredentialByName = async (
  sql: Sql,
  accountId: string,
  name: string,
): Promise<CredentialRow | undefined> => {
  const [row] = await sql<CredentialRow[]>`
    select ${columns(sql)} from credentials where account_id = ${accountId} and name = ${name}`;
  return row;
};

/** A page of the account's credentials, newest first. */
export const listCredentials = (sql: Sql, accountId: string, page: Page): Promise<CredentialRow[]> => sql<
  CredentialRow[]
>`
  select ${columns(sql)} from credentials where account_id = ${accountId} ${pageOf(sql, page)}`;

/** Replaces hosts and secret of a credential of this type; undefined when the account has none. */
export const updateCredential = async (
  sql: Sql,
  { id, accountId, type, param, hosts, secret }: Omit<SealedCredential, 'name'>,
): Promise<CredentialRow | undefined> => {
  const [row] = await sql<CredentialRow[]>`
    update credentials set param = ${param}, hosts = ${hosts}, secret = ${secret}, updated_at = now()
    where account_id = ${accountId} and id = ${id} and type = ${type}
    returning ${columns(sql)}`;
  return row;
};

/** Deletes a credential that nothing uses. */
export const deleteCredential = async (sql: Sql, accountId: string, id: string): Promise<void> => {
  await sql`delete from credentials where account_id = ${accountId} and id = ${id}`;
};
