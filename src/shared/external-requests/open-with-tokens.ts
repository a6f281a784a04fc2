import { afterRenewal, dueTokens, openCredentials, type OpenCredential, type OpenToken } from '../credentials/open.ts';
import type { Renewed, Tokens } from '../credentials/oauth2/tokens.ts';
import type { Sql } from '../platform/db/connect.ts';
import type { Secrets } from '../platform/secrets/seal.ts';
import type { MadeAttempt } from './attempt-request.ts';
import type { Busy } from './send-request.ts';

type Deps = { sql: Sql; secrets: Secrets; tokens: Tokens };

type Credentials = ReadonlyMap<string, OpenCredential>;

/**
 * Makes one attempt with credentials of these names, for somebody who waits: their access tokens are renewed before it, and once after a 401, when
 * it is made again. A run does the same over its attempts.
 */
export const withTokens = async (
  deps: Deps,
  { accountId, names }: { accountId: string; names: readonly string[] },
  attempt: (credentials: Credentials) => Promise<MadeAttempt | Busy>,
): Promise<MadeAttempt | Busy> => {
  const credentials = await openWithTokens(deps, accountId, names);
  if (!credentials) return { type: 'busy' };
  const made = await attempt(credentials);
  if (made.type === 'busy' || !(await canRenew(deps.tokens, accountId, credentials, made))) return made;
  const renewed = await openWithTokens(deps, accountId, names);
  return renewed ? attempt(renewed) : made;
};

/** Undefined where too much is under way here. */
const openWithTokens = async (
  { sql, secrets, tokens }: Deps,
  accountId: string,
  names: readonly string[],
): Promise<Credentials | undefined> => {
  const credentials = await openCredentials({ sql, secrets }, accountId, names);
  const due = dueTokens(credentials);
  if (due.length === 0) return credentials;
  const renewed = await renewAll(tokens, accountId, due);
  if (renewed.type === 'later') return undefined;
  return afterRenewal(await openCredentials({ sql, secrets }, accountId, names), renewed);
};

/** Renews tokens one after the other; the first failure ends it. */
export const renewAll = async (
  tokens: Tokens,
  accountId: string,
  due: readonly OpenToken[],
  signal?: AbortSignal,
): Promise<Renewed> => {
  for (const { credentialId, state } of due) {
    const renewed = await tokens.renew({ accountId, credentialId }, { isGood: state === 'due', signal });
    if (renewed.type !== 'settled' && state === 'none') return renewed;
  }
  return { type: 'settled' };
};

/** Whether an attempt got 401 with an access token in place of which there is another, or will be: the token has ended then. */
export const canRenew = async (
  tokens: Tokens,
  accountId: string,
  credentials: Credentials,
  { outcome }: Pick<MadeAttempt, 'outcome'>,
): Promise<boolean> => {
  if (outcome.type !== 'answered' || outcome.status !== 401 || outcome.isSuccess) return false;
  for (const { token } of credentials.values()) {
    if (token && (await tokens.reject({ accountId, ...token }))) return true;
  }
  return false;
};
