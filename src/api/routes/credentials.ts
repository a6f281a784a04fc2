import { createCredential, getCredential, replaceCredential } from '../../shared/credentials/manage.ts';
import { deleteCredential, listCredentials } from '../../shared/credentials/queries.ts';
import { tryTokenAgain } from '../../shared/credentials/oauth2/try-again.ts';
import {
  credentialBody,
  credentialReplacement,
  newCredential,
  showCredential,
  type CredentialReplacement,
} from '../../shared/credentials/schema.ts';
import { invalid } from '../../shared/errors.ts';
import { requireUnused } from '../../shared/flows/find-uses.ts';
import { withWarnings } from '../../shared/warnings.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';
import { changed } from '../../shared/facts/changed.ts';

/** What users type, and may type otherwise than they mean. Tokens and headers with white space around them are refused. */
const entered = {
  urls: ['token_url'],
  secrets: ['username', 'password', 'value', 'client_id', 'client_secret', 'refresh_token'],
};

/** Credentials that flows send to other services. No operation answers a value. */
export const credentialRoutes = (deps: ApiDeps): Resource => {
  const credentials = createResource(deps, {
    tag: { name: 'Credentials', description: 'Credentials that flows send to other services.' },
    doors: ['v1', 'dashboard'],
  });
  const { secrets } = deps;
  const requireCallable = (given: CredentialReplacement): void => {
    const refusal = given.type === 'oauth2' ? deps.callEgress.refuseUrl(given.token_url) : undefined;
    if (refusal !== undefined) throw invalid({ path: 'token_url', message: refusal });
  };
  endpoint(
    credentials,
    {
      id: 'createCredential',
      method: 'post',
      path: '/credentials',
      summary: 'Create a credential',
      description: 'Parley stores its value encrypted and never returns it.',
      role: 'editor',
      idempotent: true,
      body: newCredential,
      answers: { 201: credentialBody },
      refusals: { 409: 'For a name that is taken, and when the account has 200.' },
    },
    async ({ tx: { sql, tell }, principal, body }) => {
      requireCallable(body);
      return withWarnings(
        showCredential(await createCredential({ sql, tell, secrets }, principal.accountId, body)),
        body,
        entered,
      );
    },
  );
  endpoint(
    credentials,
    {
      id: 'listCredentials',
      method: 'get',
      path: '/credentials',
      summary: 'List credentials, newest first',
      role: 'editor',
      query: listQuery,
      answers: { 200: listOf(credentialBody) },
    },
    ({ principal: { accountId }, query }) =>
      showPage(query, (page) => deps.reads(accountId, (db) => listCredentials(db, accountId, page)), showCredential),
  );
  endpoint(
    credentials,
    {
      id: 'getCredential',
      method: 'get',
      path: '/credentials/:id',
      summary: 'Read a credential',
      role: 'editor',
      noun: 'credential',
      answers: { 200: credentialBody },
    },
    async ({ principal, id }) => showCredential(await getCredential(deps.db, principal.accountId, id)),
  );
  endpoint(
    credentials,
    {
      id: 'replaceCredential',
      method: 'put',
      path: '/credentials/:id',
      summary: 'Replace the value and the hosts of a credential',
      description:
        'Takes effect with the next attempt of any request. Name and type stay. The value is required, so that only those who know it can bind it to another host. Of type oauth2 the access token ends, and the stored refresh token may be kept: by leaving it out, while token URL and client id stay, and the client secret too if hosts are added.',
      role: 'editor',
      noun: 'credential',
      body: credentialReplacement,
      answers: { 200: credentialBody },
    },
    async ({ principal: { accountId }, id, body }) => {
      requireCallable(body);
      return withWarnings(
        showCredential(
          await deps.transact(({ sql, tell }) => replaceCredential({ sql, tell, secrets }, { accountId, id }, body)),
        ),
        body,
        entered,
      );
    },
  );
  endpoint(
    credentials,
    {
      id: 'retryCredential',
      method: 'post',
      path: '/credentials/:id/retry',
      summary: 'Ask the token endpoint again for a refused credential',
      description:
        'Of type oauth2, with the same secrets, when the service has been fixed: asks once, waits 15 s at most, and answers the credential with its new state. One that has a good token keeps it.',
      role: 'editor',
      noun: 'credential',
      answers: { 200: credentialBody },
      refusals: { 409: 'For a credential of another type.' },
    },
    async ({ principal: { accountId }, id }) => {
      const { db: sql, transact, tokens } = deps;
      return showCredential(await tryTokenAgain({ sql, transact, tokens }, { accountId, id }));
    },
  );
  endpoint(
    credentials,
    {
      id: 'deleteCredential',
      method: 'delete',
      path: '/credentials/:id',
      summary: 'Delete a credential',

      role: 'editor',
      noun: 'credential',
      answers: { 204: null },
      refusals: { 409: 'While a flow uses it: `details` say which flows, and where in them.' },
    },
    ({ principal: { accountId }, id }) =>
      deps.transact(async ({ sql, tell }) => {
        const { name } = await getCredential(sql, accountId, id);
        await requireUnused(sql, accountId, { needed: `credential:${name}`, what: `The credential ${name}` });
        await deleteCredential(sql, accountId, id);
        await tell(changed(accountId, 'credentials'));
      }),
  );
  return credentials;
};
