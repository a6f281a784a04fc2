import { checkHealth } from '../../../shared/deliveries/health-check.ts';
import { prepareChoice, reEnable } from '../../../shared/replays/re-enable.ts';
import { reEnabling, showBegun } from '../../../shared/replays/schema.ts';
import { getDisabledWebhook } from '../../../shared/webhooks/manage.ts';
import { requirePlan } from '../../../shared/webhooks/preconditions.ts';
import { endpoint, type Resource } from '../../endpoint.ts';
import type { ApiDeps } from '../../http.ts';
import type { WebhookView } from './views.ts';

/** Re-enabling (specification 3): the endpoint is asked first, and what comes of it is told. */
export const addReEnabling = (webhooks: Resource, deps: ApiDeps, { checked, reEnabled }: WebhookView): void =>
  endpoint(
    webhooks,
    {
      id: 'reEnableWebhook',
      method: 'post',
      path: '/webhooks/:id/re-enable',
      summary: 'Re-enable a disabled webhook if its endpoint is healthy',
      description:
        'Variant A is sent its oldest parked delivery, or a challenge when there is none, and must answer 200; variant B is sent a challenge. The answer is 200 in any case: `status` and `last_check` have the outcome, and `replay` the replay that was begun.',
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
        return { ...checked(webhook), ...showBegun({ replay, chosen: prepared.chosen }) };
      },
    },
  );
