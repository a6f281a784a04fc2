import { webhookSecretBody } from '../../shared/accounts/schema.ts';
import { getWebhookSecret, rotateWebhookSecret } from '../../shared/webhooks/account-secret.ts';
import { createRouter, endpoint, type ApiDeps, type ApiRouter } from '../http.ts';
import { idempotently } from '../idempotency.ts';
import { requireEditor } from '../roles.ts';

/** Settings, API, Webhook Secret: shows and rotates what signs for dashboard webhooks (specification 5.5). */
export const webhookSecretRoutes = (deps: ApiDeps): ApiRouter => {
  const { db, secrets } = deps;
  const router = createRouter('Webhook secret');
  endpoint(
    router,
    {
      id: 'getWebhookSecret',
      method: 'get',
      path: '/webhook-secret',
      summary: 'Show the webhook secret',
      answers: { 200: webhookSecretBody },
    },
    async (ctx) => {
      requireEditor(ctx.state.principal);
      ctx.body = { secret: await getWebhookSecret({ sql: db, secrets }, ctx.state.principal.accountId) };
    },
  );
  endpoint(
    router,
    {
      id: 'rotateWebhookSecret',
      method: 'post',
      path: '/webhook-secret/rotate',
      summary: 'Replace the webhook secret',
      description:
        'In force at once, also for retries already scheduled. A secret that was replaced signs beside the new one for 24 hours, in `webhook-signature` alone.',
      answers: { 200: webhookSecretBody },
    },
    async (ctx) => {
      requireEditor(ctx.state.principal);
      const { accountId } = ctx.state.principal;
      await idempotently(ctx, deps, async (tx) => ({
        status: 200,
        body: { secret: await rotateWebhookSecret(tx, { secrets, accountId }) },
      }));
    },
  );
  return router;
};
