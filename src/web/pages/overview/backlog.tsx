import { Stack, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Facts } from '../../parts/facts.tsx';
import { sayCount } from './say-count.ts';

/** What waits now. */
export const Backlog = ({ overview: { backlog, handovers } }: { overview: Schemas['Overview'] }) => {
  const { t } = useTranslation('overview');
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('backlog')}
      </Title>
      <Facts
        facts={[
          [t('pending'), sayCount(backlog.pending)],
          [t('retrying'), sayCount(backlog.retrying)],
          [t('parkedNow'), sayCount(backlog.parked)],
          [t('openHandovers'), sayCount(handovers.open)],
        ]}
      />
    </Stack>
  );
};
