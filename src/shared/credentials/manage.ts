import type { Sql } from '../platform/db/connect.ts';
import { changed } from '../facts/changed.ts';
import type { Writer } from '../facts/tell.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import { conflictWith, RequestError, invalid, notFound } from '../errors.ts';
import { newUuid } from '../ids.ts';
import { unreachable } from '../unreachable.ts';
import { insertClient, replaceClient } from './oauth2/clients.ts';
import { findCredential, findCredentialByName, insertCredential, updateCredential } from './queries.ts';
import type { CredentialReplacement, CredentialRow, NewCredential } from './schema.ts';

type Deps = Writer & { secrets: Secrets };

/** The most credentials of an account. */
const credentialsPerAccount = 200;

/** Adds a credential, in a transaction. Throws `conflict` for a name that is taken, and when the account has too many. */
export const createCredential = async (
  { sql, tell, secrets }: Deps,
  accountId: string,
  input: NewCredential,
): Promise<CredentialRow> => {
  const { name } = input;
  const place = { accountId, id: newUuid() };
  if (await insertCredential(sql, { name, ...sealInput(secrets, place, input) }, credentialsPerAccount)) {
    if (input.type === 'oauth2') await insertClient(sql, secrets, place, input);
    await tell(changed(accountId, 'credentials'));
    return getCredential(sql, accountId, place.id);
  }
  const other = await findCredentialByName(sql, accountId, name);
  if (other)
    throw conflictWith(`Another credential has the name ${name}.`, { noun: 'credential', id: other.id, key: 'name' });
  throw new RequestError('conflict', `An account has at most ${credentialsPerAccount} credentials.`);
};

/** The account's credential; throws `not_found`. */
export const getCredential = async (sql: Sql, accountId: string, id: string): Promise<CredentialRow> => {
  const row = await findCredential(sql, accountId, id);
  if (!row) throw notFound('credential');
  return row;
};

/** Replaces value and hosts, in a transaction; the next try of any request takes them. Throws `not_found`, and `invalid_request` for another type. */
export const replaceCredential = async (
  { sql, tell, secrets }: Deps,
  { accountId, id }: { accountId: string; id: string },
  input: CredentialReplacement,
): Promise<CredentialRow> => {
  if (input.type === 'oauth2') await replaceClient(sql, secrets, { accountId, id }, input);
  const isReplaced = await updateCredential(sql, sealInput(secrets, { accountId, id }, input));
  const row = await getCredential(sql, accountId, id);
  if (!isReplaced) throw invalid({ path: 'type', message: `must stay ${row.type}` });
  await tell(changed(accountId, 'credentials'));
  return row;
};

const sealInput = (secrets: Secrets, place: { accountId: string; id: string }, input: CredentialReplacement) => {
  const { type, hosts } = input;
  const { param, secret } = readInput(input);
  return {
    ...place,
    type,
    hosts: [...new Set(hosts)],
    param,
    secret: secrets.seal(secret, { accountId: place.accountId, rowId: place.id }),
  };
};

/** What is stored of it: `param` as it is, `secret` sealed. */
const readInput = (input: CredentialReplacement): { param: string | null; secret: string } => {
  switch (input.type) {
    case 'bearer':
      return { param: null, secret: input.token };
    case 'basic':
      return { param: null, secret: `${input.username}:${input.password}` };
    case 'header':
      return { param: input.header, secret: input.value };
    case 'query':
      return { param: input.parameter, secret: input.value };
    case 'oauth2':
      // Its secrets are its client's, and none of them goes to its hosts.
      return { param: null, secret: '' };
    default:
      return unreachable(input);
  }
};
