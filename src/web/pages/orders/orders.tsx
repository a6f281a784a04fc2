import { ContactLink } from '../../parts/contact-link.tsx';
import { ContactSelect } from '../../parts/contact-select.tsx';
import { CodeLines } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilteredList } from '../../parts/filtered-list.tsx';
import { linkOfOrder, orderColumns } from '../../parts/order-columns.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { postAsCurl } from '../../parts/post-as-curl.ts';
import { SearchInput } from '../../parts/search-input.tsx';
import { useCount } from '../../parts/use-count.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { orderWords } from '../../words/orders.ts';
import { words } from './words.ts';

const columns = orderColumns([
  { key: 'contact', heading: words.contact, card: 'hidden', show: ({ contact_id: id }) => <ContactLink id={id} /> },
]);

/** What contacts have ordered, newest first. */
export const Page = () => {
  const { filters, setFilters, clear } = useFilters(['contact_id', 'status', 'external_id']);
  const list = useList('/orders', { query: filters });
  const count = useCount('/orders/count', list, filters);
  return (
    <Frame title={words.title} description={words.description}>
      <FilteredList
        name="orders"
        label={words.list}
        counted={words.counted}
        noneFound={words.noneFound}
        noneFoundHint={words.noneFoundHint}
        clear={clear}
        filters={
          <>
            <ContactSelect value={filters.contact_id} onChange={(id) => setFilters({ contact_id: id })} />
            <SearchInput
              label={orderWords.status}
              placeholder={words.statusHint}
              value={filters.status ?? ''}
              maxLength={64}
              onSearch={(status) => setFilters({ status })}
            />
            <SearchInput
              label={words.externalId}
              placeholder={words.externalIdHint}
              value={filters.external_id ?? ''}
              maxLength={255}
              onSearch={(id) => setFilters({ external_id: id })}
            />
          </>
        }
        list={list}
        count={count}
        minWidth={700}
        linkOf={linkOfOrder}
        columns={columns}
        empty={<NoOrders />}
      />
    </Frame>
  );
};

/** An order as a shop tells it. */
const order =
  '{"external_id": "4711", "contact_id": "con_…", "number": "#1042", "status": "placed", "currency": "EUR", "total": 4990, "items": []}';

/** Says how the first one comes here. */
const NoOrders = () => {
  const { installation } = useSignedIn();
  return (
    <Empty
      title={words.empty}
      action={
        <div style={{ width: '100%', maxWidth: 640, textAlign: 'start' }}>
          <CodeLines value={postAsCurl(installation.api_url, '/v1/orders', order)} label={words.placeCode} />
        </div>
      }
    >
      {words.emptyHint}
    </Empty>
  );
};
