import { DataTable } from '../../../parts/data-table.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { linkOfOrder, orderColumns } from '../../../parts/order-columns.tsx';
import { useList } from '../../../parts/use-list.ts';
import { words } from './words.ts';

/** The contact's orders. */
export const Orders = ({ contactId }: { contactId: string }) => (
  <DataTable
    label={words.tabs.orders}
    list={useList('/orders', { query: { contact_id: contactId }, limit: 25 })}
    keyOf={({ id }) => id}
    columns={orderColumns()}
    linkOf={linkOfOrder}
    empty={<Empty title={words.ordersEmpty}>{words.ordersEmptyHint}</Empty>}
  />
);
