import { webhookSecretBody } from '../../shared/accounts/schema.ts';
import { getWebhookSecret, rotateWebhookSecret } from '../../shared/webhooks/account-secret.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';

/** Settings, API, Webhook Secret: shows and rotates what signs for dashboard webhooks (specification 5.5). */
export const webhookSecretRoutes = (deps: ApiDeps): Resource => {
  const { db, secrets } = deps;
  const secret = createResource(deps, {
    tag: { name: 'Webhook secret', description: "What signs for the dashboard's webhooks." },
    doors: ['dashboard'],
  });
  endpoint(
    secret,
    {
      id: 'getWebhookSecret',
      method: 'get',
      path: '/webhook-secret',
      summary: 'Show the webhook secret',
      role: 'owner',
      answers: { 200: webhookSecretBody },
    },
    async ({ principal }) => ({ secret: await getWebhookSecret({ sql: db, secrets }, principal.accountId) }),
  );
  endpoint(
    secret,
    {
      id: 'rotateWebhookSecret',
      method: 'post',
      path: '/webhook-secret/rotate',
      summary: 'Rotate the webhook secret',
      description:
        'Takes effect at once, also for scheduled retries. A replaced secret also signs for 24 hours, only in `webhook-signature`.',
      role: 'owner',
      idempotent: true,
      answers: { 200: webhookSecretBody },
    },
    async ({ tx, principal: { accountId } }) => ({ secret: await rotateWebhookSecret(tx, { secrets, accountId }) }),
  );
  return secret;
};
