import type { z } from 'zod';
import { checkHealth } from '../../../shared/deliveries/health-check.ts';
import type { BegunReplay } from '../../../shared/replays/schema.ts';
import { prepareChoice, reEnable } from '../../../shared/replays/re-enable.ts';
import { reEnabling, showBegun } from '../../../shared/replays/schema.ts';
import { getDisabledWebhook } from '../../../shared/webhooks/manage.ts';
import { requirePlan } from '../../../shared/webhooks/preconditions.ts';
import type { WebhookRow, WebhookScope } from '../../../shared/webhooks/queries.ts';
import { endpoint, pathId, type ApiDeps, type ApiRouter } from '../../http.ts';
import { answeredAgain, idempotently } from '../../idempotency.ts';
import { requireEditor } from '../../roles.ts';

/** Which webhooks are reached, and how one is shown that was asked to be re-enabled. */
type Door = Pick<WebhookScope, 'variants'> & {
  answer: z.ZodType;
  show: (webhook: WebhookRow, begun: BegunReplay) => object;
};

/** Re-enabling (specification 3): the endpoint is asked first, and what comes of it is told. */
export const addReEnabling = (router: ApiRouter, deps: ApiDeps, { variants, answer, show }: Door): void =>
  endpoint(
    router,
    {
      id: 'reEnableWebhook',
      method: 'post',
      path: '/webhooks/:id/re-enable',
      summary: 'Re-enable a disabled webhook if its endpoint is healthy',
      description:
        'Variant A is sent its oldest parked delivery (a challenge when there is none), which must be answered 200; variant B a challenge. 200 whatever comes of it: `status` and `last_check` tell, and `replay` is the one that was asked for and begun. 409 when it is active.',
      body: reEnabling,
      answers: { 200: answer },
    },
    async (ctx, { body }) => {
      const { principal } = ctx.state;
      requireEditor(principal);
      if (await answeredAgain(ctx, deps)) return;
      const scope = { accountId: principal.accountId, variants };
      const webhook = await getDisabledWebhook(deps.db, scope, pathId(ctx, 'webhook'));
      requirePlan(principal.plan);
      const chosen = await deps.reads(scope.accountId, (db) =>
        prepareChoice(db, scope, { webhookId: webhook.id, choice: body.replay }),
      );
      const check = await checkHealth(deps, webhook);
      await idempotently(ctx, deps, async (tx) => {
        const { webhook: settled, replay } = await reEnable(tx, { webhook, check, chosen });
        return { status: 200, body: show(settled, showBegun({ replay, chosen })) };
      });
    },
  );
