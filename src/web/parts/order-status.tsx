import { hueOf } from './initials.ts';
import type { Hue } from './kinds/hues.ts';

/** The statuses that most shops have, told apart. */
const known: Readonly<Record<string, Hue>> = {
  placed: 'slate',
  pending: 'slate',
  paid: 'iris',
  processing: 'amber',
  shipped: 'blue',
  delivered: 'green',
  cancelled: 'coral',
  refunded: 'pink',
  returned: 'pink',
};

/** The status of an order in a colour of its own. Its words are the account's: none is better than another. */
export const OrderStatus = ({ status }: { status: string }) => (
  <span className="status" data-hue={known[status.toLowerCase()] ?? hueOf(status)}>
    {status}
  </span>
);
