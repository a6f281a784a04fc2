import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { BulkProgress, BulkStatus } from '../../parts/bulk-work.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { useFlowNames } from '../../parts/use-flow-names.ts';
import { useList } from '../../parts/use-list.ts';
import { bulkWorkWords } from '../../words/bulk-work.ts';
import { words } from './words.ts';

/** Settings, Logs, Retries: which failed runs went on in bulk, newest first. */
export const Page = () => {
  const list = useList('/retries');
  const { nameOf } = useFlowNames();
  return (
    <Frame title={words.title} description={words.description}>
      <DataTable
        label={words.list}
        list={list}
        keyOf={({ id }) => id}
        linkOf={({ id }) => `/settings/logs/retries/${id}`}
        counted={words.counted}
        minWidth={760}
        columns={[
          {
            heading: bulkWorkWords.created,
            show: ({ id, created_at }) => (
              <To to={`/settings/logs/retries/${id}`}>
                <Time at={created_at} />
              </To>
            ),
          },
          { heading: bulkWorkWords.status, card: 'aside', show: ({ status }) => <BulkStatus status={status} /> },
          { heading: words.flow, card: 'line', show: ({ flow_id }) => nameOf(flow_id) },
          { heading: words.block, card: 'line', show: ({ block_id }) => block_id },
          { heading: words.version, card: 'hidden', show: ({ version }) => version },
          {
            heading: bulkWorkWords.progress,
            card: 'end',
            show: ({ retried, refused, total, more_than_total: isMore }) => (
              <BulkProgress done={retried + refused} total={total} isMore={isMore} />
            ),
          },
        ]}
        empty={
          <Empty
            title={words.empty}
            action={
              <Button component={Link} to="/flows">
                {words.toFlows}
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
