import { useMemo } from 'react';
import { ContactLink } from '../../parts/contact-link.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { deliveryColumns, linkOfDelivery } from '../../parts/delivery-columns.tsx';
import { ListViews } from '../../parts/list-views.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { TemporalViews, viewsOfDeliveries } from '../../parts/temporal-views.tsx';
import { useCount } from '../../parts/use-count.ts';
import { useColumns } from '../../parts/use-columns.ts';
import { useList } from '../../parts/use-list.ts';
import { mayAs } from '../../api/session.ts';
import { useSelection } from '../../parts/use-selection.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { BulkDeliveries } from './bulk-deliveries.tsx';
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
  const query = toQuery(log.filters);
  const list = useList('/deliveries', { query });
  const count = useCount('/deliveries/count', list, query);

  const mayReplay = mayAs('editor', useSignedIn());
  const selection = useSelection(list.rows);
  const columns = useMemo(
    () =>
      deliveryColumns([
        webhookColumn(webhooks),
        {
          key: 'contact',
          heading: deliveryWords.contact,
          card: 'hidden',
          show: ({ contact_id }) => contact_id && <ContactLink id={contact_id} />,
        },
      ]),
    [webhooks],
  );

  const choice = useColumns('deliveries', columns);
  return (
    <Frame title={words.title} description={words.description} actions={<ReplayInBulk filters={log.filters} />}>
      <ListViews list="deliveries" />
      <LogFilters log={log} webhooks={webhooks} />
      <DataTable
        label={words.list}
        list={list}
        keyOf={({ id }) => id}
        minWidth={920}
        linkOf={linkOfDelivery}
        selection={mayReplay ? selection : undefined}
        bulk={mayReplay && <BulkDeliveries selection={selection} />}
        counted={deliveryWords.counted}
        count={count}
        columns={choice.shown}
        choice={choice}
        empty={<NoDeliveries log={log} />}
      />
      <TemporalViews views={viewsOfDeliveries} />
    </Frame>
  );
};
