import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Empty } from '../../parts/empty.tsx';
import { useMayOpen } from '../../parts/use-may-open.ts';
import type { useLogFilters } from './use-log-filters.ts';

/** Why the log shows nothing, and what to do. */
export const NoDeliveries = ({ log }: { log: ReturnType<typeof useLogFilters> }) => {
  const { t } = useTranslation(['deliveries', 'shell']);
  const mayOpen = useMayOpen();
  const { filters, isFiltered, setStatuses, clear } = log;
  if (!isFiltered)
    return (
      <Empty title={t('nothingFailed')} action={<Button onClick={() => setStatuses([])}>{t('showAll')}</Button>}>
        {t('nothingFailedHint')}
      </Empty>
    );
  const { statuses, ...others } = filters;
  if (statuses.length === 0 && Object.values(others).every((value) => value === undefined))
    return (
      <Empty
        title={t('none')}
        action={
          mayOpen('/settings/webhooks') && (
            <Button component={Link} to="/settings/webhooks">
              {t('toWebhooks')}
            </Button>
          )
        }
      >
        {t('noneHint')}
      </Empty>
    );
  return (
    <Empty
      title={t('nothingFound')}
      action={
        <Button variant="default" onClick={clear}>
          {t('shell:clearFilters')}
        </Button>
      }
    >
      {t('nothingFoundHint')}
    </Empty>
  );
};
