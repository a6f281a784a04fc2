import { useTranslation } from 'react-i18next';
import { DataTable } from '../../../parts/data-table.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { orderColumns } from '../../../parts/order-columns.tsx';
import { useList } from '../../../parts/use-list.ts';

/** The contact's orders. */
export const Orders = ({ contactId }: { contactId: string }) => {
  const { t } = useTranslation('contact');
  return (
    <DataTable
      label={t('tabs.orders')}
      list={useList('/orders', { query: { contact_id: contactId }, limit: 25 })}
      keyOf={({ id }) => id}
      columns={orderColumns()}
      empty={<Empty title={t('ordersEmpty')}>{t('ordersEmptyHint')}</Empty>}
    />
  );
};
