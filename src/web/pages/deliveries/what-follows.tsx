import { Alert, Group, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { attemptsPerRound } from '../../../shared/deliveries/ladder.ts';
import type { Schemas } from '../../api/client.ts';
import { Time } from '../../parts/time.tsx';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { Countdown } from './countdown.tsx';
import { words } from './words.ts';

type Props = { delivery: Schemas['DeliveryDetail'] };

/** Which attempt comes next and when, and what follows the last one; of a delivery whose attempts all failed, what became of its webhook. */
export const WhatFollows = ({ delivery }: Props) => {
  const { status } = delivery;
  if (status === 'pending' || status === 'retrying') return <Next delivery={delivery} />;
  return (status === 'failed' || status === 'dropped') && <AllFailed delivery={delivery} />;
};

const Next = ({ delivery: { next_attempt_at, attempts_made, variant, is_test } }: Props) => {
  const which = { number: attempts_made + 1, most: attemptsPerRound };
  return (
    <Alert variant="light" icon={<IconClock aria-hidden />} color="gray">
      {next_attempt_at ? (
        <Group gap={6}>
          {words.nextBegins(which)} <Countdown at={next_attempt_at} /> <Time at={next_attempt_at} format="exact" />
        </Group>
      ) : is_test ? (
        words.beingSent
      ) : (
        words.beingSentNext(which)
      )}
      {!is_test && (
        <Text size="sm" c="dimmed">
          {words.afterLast[variant]}
        </Text>
      )}
    </Alert>
  );
};

const AllFailed = ({ delivery: { status, webhook_id, is_test, attempts_made } }: Props) => {
  const { list } = useWebhooks();
  if (is_test || attempts_made < attemptsPerRound) return null;
  const webhook = list.find(({ id }) => id === webhook_id);
  const fate = status === 'dropped' ? 'dropped' : webhook && webhook.status;
  return (
    <Text size="sm">
      {words.allFailed} {fate && words.afterAllFailed[fate]}
    </Text>
  );
};
