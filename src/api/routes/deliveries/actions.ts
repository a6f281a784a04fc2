import type { Sql } from '../../../shared/platform/db/connect.ts';
import { cancelDelivery, retryDelivery, tellCancelled } from '../../../shared/deliveries/requests.ts';
import { deliveryBody, showDelivery } from '../../../shared/deliveries/schema.ts';
import { createRouter, endpoint, pathId, type ApiDeps, type ApiRouter } from '../../http.ts';
import { answeredAgain, idempotently } from '../../idempotency.ts';
import { requireEditor } from '../../roles.ts';
import { scopeOf, type DeliveryDoor } from './log.ts';

/** What may be asked of a delivery that is not finished: retry now, and cancel. */
export const deliveryRequestRoutes = (deps: ApiDeps, door: DeliveryDoor): ApiRouter => {
  const router = createRouter('Deliveries');
  endpoint(
    router,
    {
      id: 'retryDelivery',
      method: 'post',
      path: '/deliveries/:id/retry',
      summary: 'Make an extra attempt now',
      description:
        'Of a delivery that waits for its next attempt. Success ends it; failure leaves the other attempts and their times as they are. 409 when it does not wait, or twenty have been asked for in its round; 503 while its workflow cannot be reached.',
      answers: { 202: deliveryBody },
    },
    async (ctx) => {
      requireEditor(ctx.state.principal);
      if (await answeredAgain(ctx, deps)) return;
      // Before the key is taken: what could not be asked must not be answered again as done.
      const delivery = await retryDelivery(deps, scopeOf(ctx, door), pathId(ctx, 'delivery'));
      await idempotently(ctx, deps, async () => ({ status: 202, body: showDelivery(delivery, deps.workflowUrl) }));
    },
  );
  endpoint(
    router,
    {
      id: 'cancelDelivery',
      method: 'post',
      path: '/deliveries/:id/cancel',
      summary: 'End a delivery unsent',
      description:
        'One that is pending, retrying or parked, at once; if its POST is under way and succeeds, it ends as delivered. 409 when it has ended otherwise.',
      answers: { 202: deliveryBody },
    },
    async (ctx) => {
      requireEditor(ctx.state.principal);
      const id = pathId(ctx, 'delivery');
      const cancel = async (sql: Sql) => {
        const delivery = await cancelDelivery(sql, scopeOf(ctx, door), id);
        return { status: 202, body: showDelivery(delivery, deps.workflowUrl), delivery };
      };
      await idempotently(ctx, deps, ({ sql }) => cancel(sql), {
        afterCommit: async ({ delivery }) => {
          deps.metrics.ended(delivery);
          await tellCancelled(deps.temporal(), delivery);
          return undefined;
        },
      });
    },
  );
  return router;
};
