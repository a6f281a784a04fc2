import { z } from 'zod';
import { deliveryBody, showDelivery } from '../../../shared/deliveries/schema.ts';
import { eventNames } from '../../../shared/events/names.ts';
import { getWebhook } from '../../../shared/webhooks/manage.ts';
import { createTestDelivery } from '../../../shared/deliveries/test-event.ts';
import { createRouter, endpoint, pathId, type ApiDeps, type ApiRouter } from '../../http.ts';
import { idempotently } from '../../idempotency.ts';
import { requireEditor } from '../../roles.ts';
import { scopeOf, type DeliveryDoor } from '../deliveries/log.ts';

const testEvent = z
  .strictObject({
    event: z
      .enum(eventNames, { error: `must be one of ${eventNames.join(', ')}` })
      .optional()
      .meta({ description: "The webhook's first subscribed event when not given, new_message for *." }),
  })
  .prefault({})
  .meta({ id: 'TestEvent', example: { event: 'new_message' } });

/** A test event: one attempt with sample data, for whoever sets up an endpoint. */
export const testEventRoutes = (deps: ApiDeps, door: DeliveryDoor): ApiRouter => {
  const router = createRouter('Webhooks');
  endpoint(
    router,
    {
      id: 'sendTestEvent',
      method: 'post',
      path: '/webhooks/:id/test',
      summary: 'Send a test event',
      description:
        'One attempt with sample data, signed as every other, marked as a test and counted for nothing. Read the delivery to see what came of it. 409 when the webhook is disabled.',
      body: testEvent,
      answers: { 202: deliveryBody },
    },
    async (ctx, { body: { event } }) => {
      const { principal } = ctx.state;
      requireEditor(principal);
      const id = pathId(ctx, 'webhook');
      await idempotently(ctx, deps, async (tx) => {
        const webhook = await getWebhook(tx.sql, scopeOf(ctx, door), id);
        const delivery = await createTestDelivery(tx, webhook, { plan: principal.plan, event });
        return { status: 202, body: showDelivery(delivery, deps.workflowUrl) };
      });
    },
  );
  return router;
};
