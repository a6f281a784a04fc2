import type { Sql } from '../platform/db/connect.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { mayBeSentTo } from './hosts.ts';
import type { CredentialType } from './schema.ts';

/** A credential with its secret, for the moment of sending. `secret` of basic is `user:password`. */
export type OpenCredential = {
  name: string;
  type: CredentialType;
  param: string | null;
  hosts: readonly string[];
  secret: string;
};

/** The account's credentials of these names, by name; those that are not there are left out. */
export const openCredentials = async (
  { sql, secrets }: { sql: Sql; secrets: Secrets },
  accountId: string,
  names: readonly string[],
): Promise<Map<string, OpenCredential>> => {
  if (names.length === 0) return new Map();
  const rows = await sql<(Omit<OpenCredential, 'secret'> & { id: string; secret: Buffer })[]>`
    select id, name, type, param, hosts, secret from credentials
    where account_id = ${accountId} and name = any(${[...names]})`;
  return new Map(
    rows.map(({ id, secret, ...row }) => [
      row.name,
      { ...row, secret: secrets.open(secret, { accountId, rowId: id }) },
    ]),
  );
};

/** Whether a credential may go to where a url leads. */
export const mayGoTo = ({ hosts }: OpenCredential, url: URL): boolean => mayBeSentTo(hosts, url.hostname);

/** What a credential adds to a request: a header, or a parameter of the query. */
export const asSent = ({
  type,
  param,
  secret,
}: OpenCredential): { header: [string, string] } | { parameter: [string, string] } => {
  if (type === 'query') return { parameter: [param ?? '', secret] };
  if (type === 'header') return { header: [param ?? '', secret] };
  if (type === 'bearer') return { header: ['authorization', `Bearer ${secret}`] };
  return { header: ['authorization', `Basic ${Buffer.from(secret).toString('base64')}`] };
};

/** What must be shown nowhere: the secret, and of basic also its password alone. */
export const secretsOf = ({ type, secret }: OpenCredential): string[] =>
  type === 'basic' ? [secret, secret.slice(secret.indexOf(':') + 1)] : [secret];
