import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';

type Props = { webhook: Pick<Schemas['DashboardWebhook'], 'status' | 'disabled_reason' | 'disabled_at'> };

/** Whether a webhook is sent to, otherwise why not and since when. */
export const WebhookStatus = ({ webhook: { status, disabled_reason, disabled_at } }: Props) => {
  const { t } = useTranslation('webhooks');
  if (status === 'active') return <Status tone="good">{t('statuses.active')}</Status>;
  const isUnverified = disabled_reason === 'unverified';
  return (
    <Group gap={6}>
      <Status tone={isUnverified ? 'waiting' : 'bad'}>
        {t(isUnverified ? 'statuses.unverified' : 'statuses.failures')}
      </Status>
      {disabled_at && (
        <Text size="sm" c="dimmed" span>
          {t('since')} <Time at={disabled_at} />
        </Text>
      )}
    </Group>
  );
};
