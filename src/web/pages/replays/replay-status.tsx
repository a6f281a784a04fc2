import { Group, Progress, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Status, type Tone } from '../../parts/status.tsx';
import { words } from './words.ts';

type Replay = Schemas['Replay'];

const tones: Readonly<Record<Replay['status'], Tone>> = {
  running: 'busy',
  paused: 'waiting',
  finished: 'good',
  cancelled: 'off',
};

/** The status of a bulk replay in words. */
export const ReplayStatus = ({ status }: Pick<Replay, 'status'>) => (
  <Status tone={tones[status]}>{words.state[status]}</Status>
);

/** How far a replay is. */
export const ReplayProgress = ({ replay: { replayed, skipped, total, more_than_total } }: { replay: Replay }) => {
  const done = replayed + skipped;
  // Nothing to do is all done.
  const percent = total === 0 ? 100 : Math.min(100, (done / total) * 100);
  return (
    <Stack gap={4} miw={140}>
      <Progress value={percent} aria-label={words.progress} />
      <Group gap="xs">
        <Text size="sm">
          {more_than_total ? words.progressOfMore({ done, total }) : words.progressOf({ done, total })}
        </Text>
      </Group>
    </Stack>
  );
};
