import { withGenericPlan } from '../../../shared/platform/db/generic-plan.ts';
import { findLatestAttempts } from '../../../shared/deliveries/attempt-log.ts';
import { readDeliveryFilter } from '../../../shared/deliveries/filter.ts';
import { findDelivery, listDeliveries } from '../../../shared/deliveries/queries.ts';
import {
  deliveryBody,
  deliveryDetailBody,
  deliveryFilters,
  showDelivery,
  showDeliveryDetail,
  withoutBodies,
} from '../../../shared/deliveries/schema.ts';
import { notFound } from '../../../shared/errors.ts';
import type { WebhookScope } from '../../../shared/webhooks/queries.ts';
import { createRouter, endpoint, pathId, type ApiContext, type ApiDeps, type ApiRouter } from '../../http.ts';
import { listOf, listQuery, sendList } from '../../lists.ts';
import { isEditor } from '../../roles.ts';

/** Whose deliveries a door shows: /v1 those of variant A, the dashboard those of both. */
export type DeliveryDoor = Pick<WebhookScope, 'variants'>;

/** The deliveries that a request reaches: its account's, of its door's variants. */
export const scopeOf = (ctx: ApiContext, { variants }: DeliveryDoor): WebhookScope => ({
  accountId: ctx.state.principal.accountId,
  variants,
});

/** Settings, Logs, Delivery: the log of deliveries (specification 1.6 and 6.4). */
export const deliveryRoutes = ({ reads, workflowUrl }: ApiDeps, door: DeliveryDoor): ApiRouter => {
  const router = createRouter('Deliveries');
  endpoint(
    router,
    {
      id: 'listDeliveries',
      method: 'get',
      path: '/deliveries',
      summary: 'List deliveries',
      query: listQuery.extend(deliveryFilters),
      answers: { 200: listOf(deliveryBody) },
    },
    async (ctx, { query: { limit, cursor, ...asked } }) => {
      const scope = scopeOf(ctx, door);
      const page = { limit: limit + 1, before: cursor };
      const rows = await reads(scope.accountId, async (db) => {
        const filter = await readDeliveryFilter(db, scope.accountId, asked);
        return filter ? withGenericPlan(db, (sql) => listDeliveries(sql, scope, { ...filter, ...page })) : [];
      });
      sendList(ctx, rows, limit, (row) => showDelivery(row, workflowUrl));
    },
  );
  endpoint(
    router,
    {
      id: 'getDelivery',
      method: 'get',
      path: '/deliveries/:id',
      summary: 'Read a delivery with its latest attempts',
      answers: { 200: deliveryDetailBody },
    },
    async (ctx) => {
      const [scope, id] = [scopeOf(ctx, door), pathId(ctx, 'delivery')];
      const shown = await reads(scope.accountId, async (sql) => {
        const delivery = await findDelivery(sql, scope, id);
        if (!delivery) throw notFound('delivery');
        return showDeliveryDetail(delivery, { attempts: await findLatestAttempts(sql, delivery.id), workflowUrl });
      });
      ctx.body = isEditor(ctx.state.principal) ? shown : withoutBodies(shown);
    },
  );
  return router;
};
