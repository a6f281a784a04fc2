import { Button, Group, Stack, Text, Timeline, Title } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { Failure } from '../../parts/failure.tsx';
import { Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { Attempt } from './attempt.tsx';
import { To } from '../../parts/to.tsx';
import { commonWords } from '../../words/common.ts';
import { deliveryWords } from '../../words/deliveries.ts';
import { WhatFollows } from './what-follows.tsx';
import { words } from './words.ts';

type Delivery = Schemas['DeliveryDetail'];
type Round = Delivery['rounds'][number];

/** The attempts of a delivery, newest first, before them the one that is to come. */
export const Attempts = ({ delivery }: { delivery: Delivery }) => {
  const { id, attempts_count, rounds } = delivery;
  const [isAllShown, setAllShown] = useState(false);
  const all = useList('/deliveries/{id}/attempts', { id, isEnabled: isAllShown });
  const shown = (isAllShown && all.rows) || delivery.attempts.toReversed();
  const groups = rounds
    .toReversed()
    .map((round) => ({ round, attempts: shown.filter((attempt) => attempt.round === round.round) }))
    .filter(({ round, attempts }) => attempts.length > 0 || round.round === delivery.round);
  const rest = isAllShown ? all.more : () => setAllShown(true);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {words.timeline}
      </Title>
      <WhatFollows delivery={delivery} />
      {groups.map(({ round, attempts }) => (
        <Stack key={round.round} gap="xs">
          {delivery.round > 1 && <RoundHead round={round} />}
          {attempts.length === 0 && (
            <Text size="sm" c="dimmed">
              {words.noAttempts}
            </Text>
          )}
          <Timeline bulletSize={26} lineWidth={2} active={attempts.length}>
            {attempts.map((attempt, index) => (
              <Timeline.Item
                key={`${attempt.kind} ${attempt.number}`}
                color={attempt.outcome === 'succeeded' ? 'brand' : 'red.8'}
                bullet={attempt.outcome === 'succeeded' ? <IconCheck size={14} /> : <IconX size={14} />}
              >
                <Attempt
                  attempt={attempt}
                  webhookId={delivery.webhook_id}
                  isOpenAtFirst={index === 0 && round.round === delivery.round}
                />
              </Timeline.Item>
            ))}
          </Timeline>
        </Stack>
      ))}
      {isAllShown && all.error ? <Failure error={all.error} retry={all.retry} /> : null}
      {attempts_count > shown.length && rest && (
        <Group>
          <Button variant="default" onClick={rest} loading={isAllShown && (all.isLoadingMore || !all.rows)}>
            {isAllShown ? commonWords.more : words.earlier}
          </Button>
        </Group>
      )}
    </Stack>
  );
};

const RoundHead = ({ round: { round, begun_by, begun_at, replay_id } }: { round: Round }) => (
  <Group gap="xs">
    <Text fw={600} size="sm" component="h3">
      {deliveryWords.round(round)}
    </Text>
    <Text size="sm" c="dimmed" component="span">
      {words.roundBegun[begun_by ?? 'unknown']} {begun_at && <Time at={begun_at} />}
    </Text>
    {replay_id && <To to={`/settings/logs/replays/${replay_id}`}>{words.toReplay}</To>}
  </Group>
);
