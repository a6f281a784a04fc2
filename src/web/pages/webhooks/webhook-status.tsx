import { Group, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { words } from './words.ts';

type Props = {
  webhook: Pick<Schemas['DashboardWebhookDetail'], 'status' | 'disabled_reason' | 'disabled_at' | 'health'>;
};

/** Whether a webhook is sent to and takes it, otherwise why not and since when. */
export const WebhookStatus = ({ webhook: { status, disabled_reason, disabled_at, health } }: Props) => {
  if (status === 'active') return <ActiveStatus failingSince={health.failing_since} />;
  const isUnverified = disabled_reason === 'unverified';
  return (
    <Group gap={6}>
      <Status tone={isUnverified ? 'waiting' : 'bad'}>
        {isUnverified ? words.statuses.unverified : words.statuses.failures}
      </Status>
      {disabled_at && <Since at={disabled_at} />}
    </Group>
  );
};

const ActiveStatus = ({ failingSince }: { failingSince: string | null }) => {
  if (failingSince === null) return <Status tone="good">{words.statuses.active}</Status>;
  return (
    <Group gap={6}>
      <Status tone="waiting">{words.statuses.failing}</Status>
      <Since at={failingSince} />
    </Group>
  );
};

const Since = ({ at }: { at: string }) => (
  <Text size="sm" c="dimmed" span>
    {words.since} <Time at={at} format="clock" />
  </Text>
);
