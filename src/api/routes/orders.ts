import { z } from 'zod';
import { contactLine } from '../../shared/contacts/lock-contact.ts';
import { found } from '../../shared/errors.ts';
import { findOrder, listOrders } from '../../shared/orders/queries.ts';
import {
  listedOrderBody,
  newOrder,
  orderBody,
  orderChanges,
  orderFilters,
  showListedOrder,
  showOrder,
} from '../../shared/orders/schema.ts';
import { changeStatus, placeOrder } from '../../shared/orders/write.ts';
import { countedAtMost, countOf, countRows } from '../counts.ts';
import { endpoint } from '../endpoint.ts';
import { createResource, type Resource } from '../resource.ts';
import type { ApiDeps } from '../http.ts';
import { withCause } from '../idempotency.ts';
import { listOf, listQuery, showPage } from '../lists.ts';

/** What contacts have ordered. */
export const orderRoutes = (deps: ApiDeps): Resource => {
  const orders = createResource(deps, {
    tag: { name: 'Orders', description: 'Orders of contacts, as your shop reports them.' },
    doors: ['v1', 'dashboard'],
  });
  addWriting(orders, deps);
  addReading(orders, deps);
  return orders;
};

const addWriting = (orders: Resource, deps: ApiDeps): void => {
  endpoint(
    orders,
    {
      id: 'placeOrder',
      method: 'post',
      path: '/orders',
      summary: 'Place an order, or change the order with this external_id',
      description:
        'Sends order_placed for a new one, and order_status_changed for a known one that had another status.',
      role: 'editor',
      idempotent: true,
      body: newOrder,
      repairsTexts: true,
      answers: { 200: orderBody },
      refusals: { 404: 'The account has no such contact.', 409: 'The order is of another contact.' },
    },
    {
      line: ({ body }) => contactLine(body.contact_id),
      handle: async ({ tx, principal, body }) => showOrder(await placeOrder(tx, principal.accountId, body)),
    },
  );
  endpoint(
    orders,
    {
      id: 'changeOrder',
      method: 'patch',
      path: '/orders/:id',
      summary: 'Change the status of an order',
      description:
        'Sends order_status_changed. The current status changes nothing. A status with an older `changed_at` only goes into `status_history` and sends nothing.',
      role: 'editor',
      noun: 'order',
      body: orderChanges,
      answers: { 200: orderBody },
    },
    async ({ ctx, principal: { accountId }, id, body: changes }) =>
      showOrder(await deps.transact(async (tx) => changeStatus(await withCause(tx, ctx), { accountId, id, changes }))),
  );
};

const addReading = (orders: Resource, deps: ApiDeps): void => {
  endpoint(
    orders,
    {
      id: 'listOrders',
      method: 'get',
      path: '/orders',
      summary: 'List orders, newest first',
      description: 'Without items and earlier statuses; read an order to get them.',
      role: 'agent',
      query: listQuery.extend(orderFilters),
      answers: { 200: listOf(listedOrderBody) },
    },
    ({ principal: { accountId }, query: { limit, cursor, ...filter } }) =>
      showPage(
        { limit, cursor },
        (page) => deps.reads(accountId, (sql) => listOrders(sql, accountId, { filter, page })),
        showListedOrder,
      ),
  );
  endpoint(
    orders,
    { ...countOf('orders'), id: 'countOrders', path: '/orders/count', query: z.strictObject(orderFilters) },
    ({ principal: { accountId }, query: filter }) =>
      deps.reads(accountId, (sql) =>
        countRows(sql, listOrders(sql, accountId, { filter, page: { limit: countedAtMost } })),
      ),
  );
  endpoint(
    orders,
    {
      id: 'getOrder',
      method: 'get',
      path: '/orders/:id',
      summary: 'Read an order with its items and status history',
      role: 'agent',
      noun: 'order',
      answers: { 200: orderBody },
    },
    async ({ principal, id }) => showOrder(found('order', await findOrder(deps.db, principal.accountId, id))),
  );
};
