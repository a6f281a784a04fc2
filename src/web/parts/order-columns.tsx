import type { Schemas } from '../api/client.ts';
import { orderWords } from '../words/orders.ts';
import type { Column } from './data-table.tsx';
import { sayMoney } from './money.ts';
import { Status } from './status.tsx';
import { Time } from './time.tsx';
import { To } from './to.tsx';

type Order = Schemas['ListedOrder'];

/** What a list of orders shows of each; `whose` stands beside the number where it is of several contacts. */
export const orderColumns = (whose: readonly Column<Order>[] = []): Column<Order>[] => [
  {
    heading: orderWords.number,
    width: 110,
    show: ({ id, number }) => <To to={`/orders/${id}`}>{number}</To>,
  },
  ...whose,
  // Its words are the account's own: none is better than another.
  { heading: orderWords.status, show: ({ status }) => <Status tone="busy">{status}</Status> },
  { heading: orderWords.total, show: ({ total, currency }) => sayMoney(total, currency), align: 'right' },
  { heading: orderWords.placed, show: ({ placed_at }) => <Time at={placed_at} /> },
];
