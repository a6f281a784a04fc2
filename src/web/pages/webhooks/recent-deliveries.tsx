import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.tsx';
import { deliveryColumns, linkOfDelivery } from '../../parts/delivery-columns.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { useList } from '../../parts/use-list.ts';
import { words } from './words.ts';

type Props = { webhookId: string; isActive: boolean };

/** The last deliveries of a webhook; the log has all. */
export const RecentDeliveries = ({ webhookId, isActive }: Props) => {
  const list = useList('/deliveries', { query: { webhook_id: webhookId }, limit: 10 });
  return (
    <Section
      title={words.receiving.recent}
      actions={
        <Button
          variant="default"
          size="compact-sm"
          component={Link}
          to={`/settings/logs/delivery?status=all&webhook_id=${webhookId}`}
        >
          {words.receiving.wholeLog}
        </Button>
      }
    >
      <DataTable
        label={words.receiving.recent}
        list={{ ...list, more: undefined }}
        keyOf={({ id }) => id}
        linkOf={linkOfDelivery}
        columns={deliveryColumns()}
        empty={
          <Empty title={words.receiving.noneRecent}>
            {isActive ? words.receiving.noneRecentHint : words.receiving.noneRecentInactive}
          </Empty>
        }
      />
    </Section>
  );
};
