import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { ReplayProgress, ReplayStatus } from './replay-status.tsx';
import { To } from '../../parts/to.tsx';

/** Settings, Logs, Replays: what was sent again in bulk, newest first. */
export const Page = () => {
  const { t } = useTranslation(['replays', 'deliveries']);
  const list = useList('/replays');
  const { sayWebhook } = useWebhooks();
  return (
    <Frame title={t('title')} description={t('description')}>
      <DataTable
        label={t('list')}
        list={list}
        keyOf={({ id }) => id}
        minWidth={760}
        columns={[
          {
            heading: t('created'),
            show: ({ id, created_at }) => (
              <To to={`/settings/logs/replays/${id}`}>
                <Time at={created_at} />
              </To>
            ),
          },
          { heading: t('status'), show: ({ status }) => <ReplayStatus status={status} /> },
          {
            heading: t('webhook'),
            show: ({ filter: { webhook_id: id } }) => (id === null ? t('allWebhooks') : sayWebhook(id)),
          },
          {
            heading: t('deliveries'),
            show: ({ filter }) => filter.status.map((status) => t(`deliveries:statuses.${status}`)).join(', '),
          },
          { heading: t('progress'), show: (replay) => <ReplayProgress replay={replay} /> },
        ]}
        empty={
          <Empty
            title={t('empty')}
            action={
              <Button component={Link} to="/settings/logs/delivery">
                {t('toLog')}
              </Button>
            }
          >
            {t('emptyHint')}
          </Empty>
        }
      />
    </Frame>
  );
};
