import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DataTable } from '../../parts/data-table.tsx';
import { deliveryColumns } from '../../parts/delivery-columns.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Section } from '../../parts/section.tsx';
import { useList } from '../../parts/use-list.ts';

type Props = { webhookId: string; isActive: boolean };

/** The last deliveries of a webhook; the log has all. */
export const RecentDeliveries = ({ webhookId, isActive }: Props) => {
  const { t } = useTranslation('receiving');
  const list = useList('/deliveries', { query: { webhook_id: webhookId }, limit: 10 });
  return (
    <Section
      title={t('recent')}
      actions={
        <Button
          variant="default"
          size="compact-sm"
          component={Link}
          to={`/settings/logs/delivery?status=all&webhook_id=${webhookId}`}
        >
          {t('wholeLog')}
        </Button>
      }
    >
      <DataTable
        label={t('recent')}
        list={{ ...list, more: undefined }}
        keyOf={({ id }) => id}
        columns={deliveryColumns()}
        empty={<Empty title={t('noneRecent')}>{t(isActive ? 'noneRecentHint' : 'noneRecentInactive')}</Empty>}
      />
    </Section>
  );
};
