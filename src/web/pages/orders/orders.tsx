import { useTranslation } from 'react-i18next';
import { ContactLink } from '../../parts/contact-link.tsx';
import { ContactSelect } from '../../parts/contact-select.tsx';
import { CodeLines } from '../../parts/copy.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { orderColumns } from '../../parts/order-columns.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { postAsCurl } from '../../parts/post-as-curl.ts';
import { SearchInput } from '../../parts/search-input.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';

/** What contacts have ordered, newest first. */
export const Page = () => {
  const { t } = useTranslation('orders');
  const { filters, setFilters, isFiltered, clear } = useFilters(['contact_id', 'status', 'external_id']);
  return (
    <Frame title={t('title')} description={t('description')}>
      <FilterBar clear={clear}>
        <ContactSelect value={filters.contact_id} onChange={(id) => setFilters({ contact_id: id })} />
        <SearchInput
          label={t('status')}
          placeholder={t('statusHint')}
          value={filters.status ?? ''}
          maxLength={64}
          onSearch={(status) => setFilters({ status })}
        />
        <SearchInput
          label={t('externalId')}
          placeholder={t('externalIdHint')}
          value={filters.external_id ?? ''}
          maxLength={255}
          onSearch={(id) => setFilters({ external_id: id })}
        />
      </FilterBar>
      <DataTable
        label={t('list')}
        list={useList('/orders', { query: filters })}
        keyOf={({ id }) => id}
        minWidth={700}
        columns={orderColumns([{ heading: t('contact'), show: ({ contact_id: id }) => <ContactLink id={id} /> }])}
        empty={isFiltered ? <Empty title={t('noneFound')}>{t('noneFoundHint')}</Empty> : <NoOrders />}
      />
    </Frame>
  );
};

/** An order as a shop tells it. */
const order =
  '{"external_id": "4711", "contact_id": "con_…", "number": "#1042", "status": "placed", "currency": "EUR", "total": 4990, "items": []}';

/** Says how the first one comes here. */
const NoOrders = () => {
  const { t } = useTranslation('orders');
  const { installation } = useSignedIn();
  return (
    <Empty
      title={t('empty')}
      action={
        <div style={{ width: '100%', maxWidth: 640, textAlign: 'start' }}>
          <CodeLines value={postAsCurl(installation.api_url, '/v1/orders', order)} label={t('placeCode')} />
        </div>
      }
    >
      {t('emptyHint')}
    </Empty>
  );
};
