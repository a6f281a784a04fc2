import { z } from 'zod';
import { declareEvent } from './fact.ts';
import { sampleOrder, toldOrder } from './told-order.ts';

export const orderPlaced = declareEvent({
  name: 'order_placed',
  meaning: 'A contact places an order',
  details:
    "Sent once for each order, when Parley first gets the order (`POST /v1/orders`). `timestamp` says when that was; `placed_at` is the order's own time. `total` is in minor units of the currency. `GET /v1/orders/{id}` has its items.",
  since: '0.3',
  variants: ['api', 'dashboard'],
  data: z.object({ order: toldOrder }),
  sample: (placedAt) => ({ order: sampleOrder('placed', placedAt) }),
  happened: 'Placed an order',
  tell: ({ order }) => `Placed the order ${order.number}`,
  topics: ['orders'],
});
