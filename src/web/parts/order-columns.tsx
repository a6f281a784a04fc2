import type { Schemas } from '../api/client.ts';
import { orderWords } from '../words/orders.ts';
import type { Column } from './column.ts';
import { sayMoney } from './money.ts';
import { OrderStatus } from './order-status.tsx';
import { Time } from './time.tsx';
import { To } from './to.tsx';

type Order = Schemas['ListedOrder'];

/** The page of an order. */
export const linkOfOrder = ({ id }: { id: string }): string => `/orders/${id}`;

/** What a list of orders shows of each; `whose` stands beside the number where it is of several contacts. */
export const orderColumns = (whose: readonly Column<Order>[] = []): Column<Order>[] => [
  {
    heading: orderWords.number,
    width: 110,
    show: ({ id, number }) => <To to={linkOfOrder({ id })}>{number}</To>,
  },
  ...whose,
  {
    key: 'status',
    heading: orderWords.status,
    card: 'end',
    show: ({ status }) => <OrderStatus status={status} />,
  },
  {
    key: 'total',
    heading: orderWords.total,
    show: ({ total, currency }) => sayMoney(total, currency),
    align: 'right',
    card: 'aside',
  },
  { key: 'placed', heading: orderWords.placed, card: 'line', show: ({ placed_at }) => <Time at={placed_at} /> },
];
