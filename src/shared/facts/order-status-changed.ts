import { z } from 'zod';
import { declareEvent } from './fact.ts';
import { sampleOrder, toldOrder } from './told-order.ts';

export const orderStatusChanged = declareEvent({
  name: 'order_status_changed',
  meaning: 'An order status is updated',
  details:
    "Sent when an order gets a status that it did not have, by `PATCH /v1/orders/{id}` or by sending the order again. `from` is the old status. `to` is the new one, and so is `status`. The words are the account's own. Two changes send two events, and `from` of the second is `to` of the first. They may arrive in any order; `timestamp` says which was first.",
  since: '0.3',
  variants: ['api', 'dashboard'],
  data: z.object({ order: toldOrder.extend({ from: z.string(), to: z.string() }) }),
  sample: (changedAt) => ({ order: { ...sampleOrder('shipped', changedAt), from: 'placed', to: 'shipped' } }),
  happened: 'An order changed its status',
  tell: ({ order: { number, from, to } }) => `The order ${number} went from ${from} to ${to}`,
  topics: ['orders'],
});
