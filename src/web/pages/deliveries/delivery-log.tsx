import { ContactLink } from '../../parts/contact-link.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { deliveryColumns } from '../../parts/delivery-columns.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { TemporalViews, viewsOfDeliveries } from '../../parts/temporal-views.tsx';
import { useList } from '../../parts/use-list.ts';
import { LogFilters } from './log-filters.tsx';
import { ReplayInBulk } from './replay-in-bulk.tsx';
import { NoDeliveries } from './no-deliveries.tsx';
import { toQuery, useLogFilters } from './use-log-filters.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { webhookColumn } from '../../parts/webhook-column.tsx';
import { deliveryWords } from '../../words/deliveries.ts';
import { words } from './words.ts';

/** Settings, Logs, Delivery: what failed, was dropped or is being retried first (specification 1.6 and 6.4). */
export const Page = () => {
  const log = useLogFilters();
  const webhooks = useWebhooks();
  const list = useList('/deliveries', { query: toQuery(log.filters) });

  return (
    <Frame title={words.title} description={words.description} actions={<ReplayInBulk filters={log.filters} />}>
      <LogFilters log={log} webhooks={webhooks} />
      <DataTable
        label={words.list}
        list={list}
        keyOf={({ id }) => id}
        minWidth={920}
        columns={deliveryColumns([
          webhookColumn(webhooks),
          {
            heading: deliveryWords.contact,
            show: ({ contact_id }) => contact_id && <ContactLink id={contact_id} />,
          },
        ])}
        empty={<NoDeliveries log={log} />}
      />
      <TemporalViews views={viewsOfDeliveries} />
    </Frame>
  );
};
