import type { Sql } from '../platform/db/connect.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { mayBeSentTo } from './hosts.ts';
import type { TokenKey } from './oauth2/rows.ts';
import { sayFailure, sayRefusal } from './oauth2/say.ts';
import type { CredentialType } from './schema.ts';

/** A credential with its secret, for the moment of sending. `secret` of basic is `user:password`, of oauth2 its access token, if any. */
export type OpenCredential = {
  name: string;
  type: CredentialType;
  param: string | null;
  hosts: readonly string[];
  secret: string;
  /** Of oauth2 alone. */
  token?: OpenToken;
  /** Why it cannot be sent now, in words that follow its name. */
  problem?: { reason: 'credential' | 'token'; message: string };
};

/** `due`: it is good, and has lived for 80 % of its life. `none`: there is none that is good. */
export type OpenToken = Omit<TokenKey, 'accountId'> & { state: 'good' | 'due' | 'none' | 'refused' };

/** The account's credentials of these names, by name; those that are not there are left out. */
export const openCredentials = async (
  { sql, secrets }: { sql: Sql; secrets: Secrets },
  accountId: string,
  names: readonly string[],
): Promise<Map<string, OpenCredential>> => {
  if (names.length === 0) return new Map();
  const rows = await sql<(Omit<OpenCredential, 'secret'> & { id: string; secret: Buffer; refusal: string | null })[]>`
    select c.id, c.name, c.type, c.param, c.hosts, coalesce(o.access_token, c.secret) as secret, o.refusal,
      json_build_object('credentialId', o.credential_id, 'version', o.version, 'state', ${stateOfToken(sql)}) as token
    from credentials c left join oauth2_clients o on o.credential_id = c.id
    where c.account_id = ${accountId} and c.name = any(${[...names]})`;
  return new Map(
    rows.map(({ id, secret, token, refusal, ...row }) => {
      const open = { ...row, secret: secrets.open(secret, { accountId, rowId: id }) };
      if (row.type !== 'oauth2' || !token) return [row.name, open];
      const message = `has to be reconnected: ${sayRefusal(refusal ?? '')}`;
      return [
        row.name,
        { ...open, token, ...(token.state === 'refused' && { problem: { reason: 'credential', message } }) },
      ];
    }),
  );
};

const stateOfToken = (sql: Sql) => sql`
  case when o.refused_at is not null then 'refused' when o.expires_at is null or o.expires_at <= clock_timestamp() then 'none'
    when o.refresh_at <= clock_timestamp() then 'due' else 'good' end`;

/** Those of which another token is wanted before they are sent. */
export const dueTokens = (credentials: ReadonlyMap<string, OpenCredential>): OpenToken[] =>
  [...credentials.values()].flatMap(({ token }) => (token?.state === 'due' || token?.state === 'none' ? [token] : []));

/**
 * The credentials after their tokens were asked for. Where the token endpoint gave none, those without a good one cannot be sent; where it did,
 * even one that is over already is sent.
 */
export const afterRenewal = (
  credentials: ReadonlyMap<string, OpenCredential>,
  renewed: { type: 'settled' } | { type: 'failed'; code: string },
): Map<string, OpenCredential> => {
  const code = renewed.type === 'failed' ? renewed.code : 'invalid_answer';
  const problem = { reason: 'token', message: `got no access token: ${sayFailure(code)}` } as const;
  const lacks = ({ token, secret }: OpenCredential): boolean =>
    token?.state === 'none' && (renewed.type === 'failed' || secret === '');
  return new Map([...credentials].map(([name, one]) => [name, lacks(one) ? { ...one, problem } : one]));
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
  if (type === 'bearer' || type === 'oauth2') return { header: ['authorization', `Bearer ${secret}`] };
  return { header: ['authorization', `Basic ${Buffer.from(secret).toString('base64')}`] };
};

/** What must be shown nowhere: the secret, and of basic also its password alone, or the user name where that is all there is. */
export const secretsOf = ({ type, secret }: OpenCredential): string[] => {
  if (type !== 'basic') return secret === '' ? [] : [secret];
  const colon = secret.indexOf(':');
  return [secret, secret.slice(colon + 1) || secret.slice(0, colon)];
};
