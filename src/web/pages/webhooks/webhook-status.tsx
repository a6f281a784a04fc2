import { Group, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from './words.ts';

type Props = { webhook: Pick<Schemas['DashboardWebhook'], 'status' | 'disabled_reason' | 'disabled_at'> };

/** Whether a webhook is sent to, otherwise why not and since when. */
export const WebhookStatus = ({ webhook: { status, disabled_reason, disabled_at } }: Props) => {
  if (status === 'active') return <Status tone="good">{words.statuses.active}</Status>;
  const isUnverified = disabled_reason === 'unverified';
  return (
    <Group gap={6}>
      <Status tone={isUnverified ? 'waiting' : 'bad'}>
        {isUnverified ? words.statuses.unverified : words.statuses.failures}
      </Status>
      {disabled_at && (
        <Text size="sm" c="dimmed" span>
          {words.since} <Time at={disabled_at} />
        </Text>
      )}
    </Group>
  );
};
