import { createApiKey, listApiKeys, revokeApiKey } from '../../shared/accounts/api-keys.ts';
import {
  apiKeysPerAccount,
  apiKeyBody,
  createdApiKeyBody,
  newApiKey,
  showApiKey,
} from '../../shared/accounts/schema.ts';
import { notFound } from '../../shared/errors.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { listOf, listQuery, showPage } from '../lists.ts';

/** Settings, API: the account's keys (specification 5.4). */
export const apiKeyRoutes = (deps: ApiDeps): Resource => {
  const keys = createResource(deps, {
    tag: { name: 'API keys', description: 'Keys of the account.' },
    doors: ['dashboard'],
  });
  endpoint(
    keys,
    {
      id: 'listApiKeys',
      method: 'get',
      path: '/api-keys',
      summary: 'List API keys',
      role: 'owner',
      query: listQuery,
      answers: { 200: listOf(apiKeyBody) },
    },
    ({ principal: { accountId }, query }) =>
      showPage(query, (page) => deps.reads(accountId, (sql) => listApiKeys(sql, accountId, page)), showApiKey),
  );
  endpoint(
    keys,
    {
      id: 'createApiKey',
      method: 'post',
      path: '/api-keys',
      summary: 'Create an API key',
      description: 'The answer is the only one that shows its value.',
      role: 'owner',
      idempotent: true,
      body: newApiKey,
      answers: { 201: createdApiKeyBody },
      refusals: { 409: `When the account has ${apiKeysPerAccount} that are not revoked.` },
    },
    async ({ tx, principal, body: { name } }) => {
      const { row, value } = await createApiKey(tx, principal.accountId, name);
      return { ...showApiKey(row), key: value };
    },
  );
  endpoint(
    keys,
    {
      id: 'revokeApiKey',
      method: 'delete',
      path: '/api-keys/:id',
      summary: 'Revoke an API key',
      description: 'Effective with the next request. The key stays in the list as revoked, as long as logs are kept.',
      role: 'owner',
      noun: 'apiKey',
      answers: { 204: null },
    },
    async ({ principal, id }) => {
      const isKnown = await deps.autocommit((statement) => revokeApiKey(statement, principal.accountId, id));
      if (!isKnown) throw notFound('API key');
    },
  );
  return keys;
};
