import { t as say } from 'i18next';
import type { Schemas } from '../api/client.ts';
import type { Column } from './data-table.tsx';
import { sayMoney } from './money.ts';
import { Status } from './status.tsx';
import { Time } from './time.tsx';
import { To } from './to.tsx';

type Order = Schemas['ListedOrder'];

/** What a list of orders shows of each; `whose` stands beside the number where it is of several contacts. */
export const orderColumns = (whose: readonly Column<Order>[] = []): Column<Order>[] => [
  {
    heading: say('orders:number'),
    width: 110,
    show: ({ id, number }) => <To to={`/orders/${id}`}>{number}</To>,
  },
  ...whose,
  // Its words are the account's own: none is better than another.
  { heading: say('orders:status'), show: ({ status }) => <Status tone="busy">{status}</Status> },
  { heading: say('orders:total'), show: ({ total, currency }) => sayMoney(total, currency), align: 'right' },
  { heading: say('orders:placed'), show: ({ placed_at }) => <Time at={placed_at} /> },
];
