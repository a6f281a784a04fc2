import { Group, Progress, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';
import { Status, type Tone } from '../../parts/status.tsx';

type Replay = Schemas['Replay'];

const tones: Readonly<Record<Replay['status'], Tone>> = {
  running: 'busy',
  paused: 'waiting',
  finished: 'good',
  cancelled: 'off',
};

/** The status of a bulk replay in words. */
export const ReplayStatus = ({ status }: Pick<Replay, 'status'>) => {
  const { t } = useTranslation('replays');
  return <Status tone={tones[status]}>{t(`state.${status}`)}</Status>;
};

/** How far a replay is. */
export const ReplayProgress = ({ replay: { replayed, skipped, total, more_than_total } }: { replay: Replay }) => {
  const { t } = useTranslation('replays');
  const done = replayed + skipped;
  // Nothing to do is all done.
  const percent = total === 0 ? 100 : Math.min(100, (done / total) * 100);
  return (
    <Stack gap={4} miw={140}>
      <Progress value={percent} aria-label={t('progress')} />
      <Group gap="xs">
        <Text size="sm">{t(more_than_total ? 'progressOfMore' : 'progressOf', { done, total })}</Text>
      </Group>
    </Stack>
  );
};
