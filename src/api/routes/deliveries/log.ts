import { z } from 'zod';
import { withGenericPlan } from '../../../shared/platform/db/plans.ts';
import { findLatestAttempts } from '../../../shared/deliveries/attempt-log.ts';
import { readDeliveryFilter } from '../../../shared/deliveries/filter.ts';
import { findDelivery, listDeliveries, selectDeliveries } from '../../../shared/deliveries/queries.ts';
import {
  deliveryBody,
  deliveryDetailBody,
  deliveryFilters,
  showDelivery,
  showDeliveryDetail,
  withoutContents,
} from '../../../shared/deliveries/schema.ts';
import { found } from '../../../shared/errors.ts';
import { countedAtMost, countOf, countRows } from '../../counts.ts';
import { endpoint } from '../../endpoint.ts';
import type { Resource } from '../../resource.ts';
import type { ApiDeps } from '../../http.ts';
import { listOf, listQuery, showPage } from '../../lists.ts';
import { mayAs } from '../../roles.ts';

/** Settings, Logs, Delivery: the log of deliveries (specification 1.6 and 6.4). */
export const addDeliveryLog = (deliveries: Resource, { reads, workflowUrl }: ApiDeps): void => {
  endpoint(
    deliveries,
    {
      id: 'listDeliveries',
      method: 'get',
      path: '/deliveries',
      summary: 'List deliveries',
      role: 'agent',
      query: listQuery.extend(deliveryFilters),
      answers: { 200: listOf(deliveryBody) },
    },
    ({ scope, query: { limit, cursor, ...asked } }) =>
      showPage(
        { limit, cursor },
        (page) =>
          reads(scope.accountId, async (db) => {
            const filter = await readDeliveryFilter(db, scope.accountId, asked);
            return filter ? withGenericPlan(db, (sql) => listDeliveries(sql, scope, { ...filter, ...page })) : [];
          }),
        (row) => showDelivery(row, workflowUrl),
      ),
  );
  endpoint(
    deliveries,
    {
      ...countOf('deliveries'),
      id: 'countDeliveries',
      path: '/deliveries/count',
      query: z.strictObject(deliveryFilters),
    },
    ({ scope, query: asked }) =>
      reads(scope.accountId, async (db) => {
        const filter = await readDeliveryFilter(db, scope.accountId, asked);
        if (!filter) return { count: 0, more: false };
        return withGenericPlan(db, (sql) =>
          countRows(sql, selectDeliveries(sql, scope, { ...filter, limit: countedAtMost })),
        );
      }),
  );
  endpoint(
    deliveries,
    {
      id: 'getDelivery',
      method: 'get',
      path: '/deliveries/:id',
      summary: 'Read a delivery with its latest attempts',
      role: 'agent',
      noun: 'delivery',
      answers: { 200: deliveryDetailBody },
    },
    async ({ principal, scope, id }) => {
      const shown = await reads(scope.accountId, async (sql) => {
        const delivery = found('delivery', await findDelivery(sql, scope, id));
        return showDeliveryDetail(delivery, { attempts: await findLatestAttempts(sql, delivery.id), workflowUrl });
      });
      return mayAs('editor', principal) ? shown : withoutContents(shown);
    },
  );
};
