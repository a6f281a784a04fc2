import { checkHealth } from '../../../shared/deliveries/health-check.ts';
import { findChoice, prepareChoice, reEnable } from '../../../shared/replays/re-enable.ts';
import { reEnabling, reEnablingPreview, showBegun } from '../../../shared/replays/schema.ts';
import { getDisabledWebhook, getWebhook } from '../../../shared/webhooks/manage.ts';
import { requirePlan } from '../../../shared/webhooks/preconditions.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import type { WebhookView } from './views.ts';

/** Re-enabling (specification 3): the endpoint is asked first, and what comes of it is told. What it would replay is counted before. */
export const addReEnabling = (webhooks: Resource, deps: ApiDeps, { checked, reEnabled }: WebhookView): void => {
  endpoint(
    webhooks,
    {
      id: 'reEnableWebhook',
      method: 'post',
      path: '/webhooks/:id/re-enable',
      summary: 'Re-enable a disabled webhook if its endpoint is healthy',
      description:
        'Variant A is sent its oldest parked delivery, or a challenge when there is none, and must answer 200; variant B is sent a challenge. The answer is always 200: `status` and `last_check` have the result, and `replay` the new replay.',
      role: 'editor',
      noun: 'webhook',
      idempotent: true,
      body: reEnabling,
      answers: { 200: reEnabled },
      refusals: { 403: 'The plan has no webhooks: `plan_required`.', 409: 'When the webhook is active.' },
    },
    {
      prepare: async ({ principal, scope, id, body }) => {
        const webhook = await getDisabledWebhook(deps.db, scope, id);
        requirePlan(principal.plan);
        const chosen = await deps.reads(scope.accountId, (db) =>
          prepareChoice(db, scope, { webhookId: id, choice: body.replay }),
        );
        return { webhook, chosen, check: await checkHealth(deps, webhook) };
      },
      handle: async ({ tx, prepared }) => {
        const { webhook, replay } = await reEnable(tx, prepared);
        return { ...checked(webhook), ...showBegun({ replay, chosen: prepared.chosen }, deps.workflowUrl) };
      },
    },
  );
  endpoint(
    webhooks,
    {
      id: 'previewReEnabling',
      method: 'post',
      path: '/webhooks/:id/re-enable/preview',
      summary: 'Count the deliveries that re-enabling would replay',
      description: 'Changes nothing and calls no endpoint. Counts up to 10,000 each.',
      role: 'editor',
      noun: 'webhook',
      body: reEnabling,
      answers: { 200: reEnablingPreview },
    },
    async ({ scope, id, body }) => {
      await getWebhook(deps.db, scope, id);
      const wanted = { webhookId: id, choice: body.replay };
      const chosen = await deps.reads(scope.accountId, (sql) => findChoice(sql, scope, wanted));
      return { replay_found: chosen?.found ?? null };
    },
  );
};
