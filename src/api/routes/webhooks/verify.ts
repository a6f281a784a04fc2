import { getVerifiableWebhook } from '../../../shared/webhooks/manage.ts';
import { requirePlan } from '../../../shared/webhooks/preconditions.ts';
import { dashboardWebhookBody, showDashboardWebhook } from '../../../shared/webhooks/schema.ts';
import { checkWebhook } from '../../../shared/webhooks/verify.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';

/** The challenge of variant B again; its endpoint is asked with no transaction open. */
export const addVerifying = (webhooks: Resource, deps: ApiDeps): void =>
  endpoint(
    webhooks,
    {
      id: 'verifyWebhook',
      method: 'post',
      path: '/webhooks/:id/verify',
      summary: 'Verify a webhook again',
      description: 'Checks `pending_url` if there is one. Always 200: `last_check.ok` has the result.',
      role: 'editor',
      noun: 'webhook',
      idempotent: true,
      answers: { 200: dashboardWebhookBody },
      refusals: {
        403: 'The plan has no webhooks: `plan_required`.',
        409: 'The webhook was registered by the API.',
      },
    },
    async ({ tx, afterCommit, principal, scope, id }) => {
      const webhook = await getVerifiableWebhook(tx.sql, scope, id);
      requirePlan(principal.plan);
      afterCommit(async () => showDashboardWebhook(await checkWebhook(deps, webhook)));
      return showDashboardWebhook(webhook);
    },
  );
