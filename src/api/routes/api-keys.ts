import { createApiKey, listApiKeys, revokeApiKey } from '../../shared/accounts/api-keys.ts';
import { apiKeyBody, createdApiKeyBody, newApiKey, showApiKey } from '../../shared/accounts/schema.ts';
import { notFound } from '../../shared/errors.ts';
import { createRouter, endpoint, pathId, type ApiDeps, type ApiRouter } from '../http.ts';
import { idempotently } from '../idempotency.ts';
import { listOf, listQuery, sendList } from '../lists.ts';
import { requireEditor } from '../roles.ts';

/** Settings, API: the account's keys (specification 5.4). */
export const apiKeyRoutes = (deps: ApiDeps): ApiRouter => {
  const { db } = deps;
  const router = createRouter('API keys');
  endpoint(
    router,
    {
      id: 'listApiKeys',
      method: 'get',
      path: '/api-keys',
      summary: 'List API keys',
      query: listQuery,
      answers: { 200: listOf(apiKeyBody) },
    },
    async (ctx, { query: { limit, cursor } }) => {
      requireEditor(ctx.state.principal);
      const { accountId } = ctx.state.principal;
      const page = { limit: limit + 1, before: cursor };
      const rows = await deps.reads(accountId, (sql) => listApiKeys(sql, accountId, page));
      sendList(ctx, rows, limit, showApiKey);
    },
  );
  endpoint(
    router,
    {
      id: 'createApiKey',
      method: 'post',
      path: '/api-keys',
      summary: 'Create an API key',
      description: 'The answer is the only one that shows its value.',
      body: newApiKey,
      answers: { 201: createdApiKeyBody },
    },
    async (ctx, { body: { name } }) => {
      requireEditor(ctx.state.principal);
      await idempotently(ctx, deps, async ({ sql }) => {
        const { row, value } = await createApiKey(sql, ctx.state.principal.accountId, name);
        return { status: 201, body: { ...showApiKey(row), key: value } };
      });
    },
  );
  endpoint(
    router,
    {
      id: 'revokeApiKey',
      method: 'delete',
      path: '/api-keys/:id',
      summary: 'Revoke an API key',
      description: 'Effective with the next request. The key stays in the list as revoked.',
      answers: { 204: null },
    },
    async (ctx) => {
      requireEditor(ctx.state.principal);
      const revoked = await revokeApiKey(db, ctx.state.principal.accountId, pathId(ctx, 'apiKey'));
      if (!revoked) throw notFound('API key');
      ctx.status = 204;
    },
  );
  return router;
};
