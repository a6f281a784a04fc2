import { findDelivery, listAttempts, listDeliveries } from '../../shared/deliveries/queries.ts';
import {
  deliveryBody,
  deliveryDetailBody,
  deliveryFilters,
  showDelivery,
  showDeliveryDetail,
} from '../../shared/deliveries/schema.ts';
import { notFound } from '../../shared/errors.ts';
import { createRouter, endpoint, pathId, type ApiDeps, type ApiRouter } from '../http.ts';
import { listOf, listQuery, sendList } from '../lists.ts';

/** Settings, Logs, Delivery: the log of deliveries of both variants (specification 1.6 and 6.4). */
export const deliveryRoutes = ({ db }: ApiDeps): ApiRouter => {
  const router = createRouter();
  endpoint(
    router,
    {
      method: 'get',
      path: '/deliveries',
      summary: 'List deliveries',
      query: listQuery.extend(deliveryFilters),
      answers: { 200: listOf(deliveryBody) },
    },
    async (ctx, { query: { limit, cursor, status, webhook_id } }) => {
      const filter = { statuses: status, webhookId: webhook_id };
      const page = { limit: limit + 1, before: cursor };
      const rows = await listDeliveries(db, ctx.state.principal.accountId, { ...filter, ...page });
      sendList(ctx, rows, limit, showDelivery);
    },
  );
  endpoint(
    router,
    {
      method: 'get',
      path: '/deliveries/:id',
      summary: 'Read a delivery with its attempts',
      answers: { 200: deliveryDetailBody },
    },
    async (ctx) => {
      const delivery = await findDelivery(db, ctx.state.principal.accountId, pathId(ctx, 'delivery'));
      if (!delivery) throw notFound('delivery');
      ctx.body = showDeliveryDetail(delivery, await listAttempts(db, delivery.id));
    },
  );
  return router;
};
