import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.tsx';
import { deliveryColumns, linkOfDelivery } from '../../parts/delivery-columns.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { useList } from '../../parts/use-list.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { webhookColumn } from '../../parts/webhook-column.tsx';
import { words } from './words.ts';

/** The deliveries of an event: the list of the log, because an event's own copy of them does not follow what changes. */
export const DeliveriesOfEvent = ({ eventId }: { eventId: string }) => {
  const webhooks = useWebhooks();
  const list = useList('/deliveries', { query: { event_id: eventId }, limit: 25 });
  return (
    <Section
      title={words.deliveries}
      actions={
        <Button
          variant="default"
          size="xs"
          component={Link}
          to={`/settings/logs/delivery?status=all&event_id=${eventId}`}
        >
          {words.inLog}
        </Button>
      }
    >
      <DataTable
        label={words.deliveries}
        list={list}
        keyOf={({ id }) => id}
        linkOf={linkOfDelivery}
        minWidth={820}
        columns={deliveryColumns([webhookColumn(webhooks)])}
        empty={<Empty title={words.noDeliveries}>{words.noDeliveriesHint}</Empty>}
      />
    </Section>
  );
};
