import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Facts } from '../../parts/facts.tsx';
import { To } from '../../parts/to.tsx';
import { sayCount } from './say-count.ts';

/** What waits now; each number leads to what it counts. */
export const Backlog = ({ overview: { backlog, handovers } }: { overview: Schemas['Overview'] }) => {
  const { t } = useTranslation('overview');
  const inLog = (status: 'pending' | 'retrying' | 'parked') => (
    <To to={`/settings/logs/delivery?status=${status}`}>{sayCount(backlog[status])}</To>
  );
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('backlog')}
      </Title>
      <Facts
        facts={[
          [t('pending'), inLog('pending')],
          [t('retrying'), inLog('retrying')],
          [t('parkedNow'), inLog('parked')],
          [
            t('openHandovers'),
            <To key="handovers" to="/conversations?state=handover">
              {sayCount(handovers.open)}
            </To>,
          ],
        ]}
      />
    </Stack>
  );
};
