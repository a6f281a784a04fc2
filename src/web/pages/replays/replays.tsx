import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { BulkProgress, BulkStatus } from '../../parts/bulk-work.tsx';
import { bulkWorkWords } from '../../words/bulk-work.ts';
import { To } from '../../parts/to.tsx';
import { deliveryWords } from '../../words/deliveries.ts';
import { words } from './words.ts';

/** Settings, Logs, Replays: what was sent again in bulk, newest first. */
export const Page = () => {
  const list = useList('/replays');
  const { sayWebhook } = useWebhooks();
  return (
    <Frame title={words.title} description={words.description}>
      <DataTable
        label={words.list}
        list={list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/settings/logs/replays/${id}`}
        counted={words.counted}
        minWidth={760}
        columns={[
          {
            heading: bulkWorkWords.created,
            show: ({ id, created_at }) => (
              <To to={`/settings/logs/replays/${id}`}>
                <Time at={created_at} />
              </To>
            ),
          },
          { heading: bulkWorkWords.status, card: 'aside', show: ({ status }) => <BulkStatus status={status} /> },
          {
            heading: words.webhook,
            card: 'line',
            show: ({ filter: { webhook_id: id } }) => (id === null ? words.allWebhooks : sayWebhook(id)),
          },
          {
            heading: words.deliveries,
            card: 'hidden',
            show: ({ filter }) => filter.status.map((status) => deliveryWords.statuses[status]).join(', '),
          },
          {
            heading: bulkWorkWords.progress,
            card: 'end',
            show: ({ replayed, skipped, total, more_than_total: isMore }) => (
              <BulkProgress done={replayed + skipped} total={total} isMore={isMore} />
            ),
          },
        ]}
        empty={
          <Empty
            title={words.empty}
            action={
              <Button component={Link} to="/settings/logs/delivery">
                {words.toLog}
              </Button>
            }
          >
            {words.emptyHint}
          </Empty>
        }
      />
    </Frame>
  );
};
