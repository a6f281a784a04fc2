import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { defaultPace } from '../../../shared/replays/schema.ts';
import { api, type Schemas } from '../../api/client.ts';
import { Failure } from '../../parts/failure.tsx';
import { bulkWorkWords } from '../../words/bulk-work.ts';
import { words } from './words.ts';

type Props = {
  filter: { webhook_id?: string; since?: string; until?: string; status: Schemas['Replay']['filter']['status'] };
  pace: number;
};

/** How many deliveries a replay would send now, and how long it takes to begin them at this pace. */
export const ReplayCount = ({ filter, pace }: Props) => {
  const asked = JSON.stringify(filter);
  const [settled] = useDebouncedValue(asked, 250);
  const { data, error } = api.useQuery(
    'post',
    '/replays/preview',
    { body: { ...filter, pace: defaultPace } },
    { enabled: settled === asked },
  );
  if (error) return <Failure error={error} />;
  return <SayReplayCount found={data} pace={pace} />;
};

/** So many deliveries, and how long it takes to begin them at this pace. `found` is undefined while they are being counted. */
export const SayReplayCount = ({ found, pace }: { found: Schemas['ReplayPreview'] | undefined; pace: number }) => {
  if (!found)
    return (
      <Text size="sm" c="dimmed" role="status">
        {bulkWorkWords.counting}
      </Text>
    );
  const { count, more } = found;
  const seconds = Math.ceil(count / Math.max(1, pace));
  const time = seconds < 90 ? bulkWorkWords.seconds(seconds) : bulkWorkWords.minutes(Math.ceil(seconds / 60));
  return (
    <Text size="sm" fw={600} role="status">
      {count === 0 ? words.wouldSendNone : more ? words.wouldSendMore(count) : words.wouldSend(count)}{' '}
      {count > 0 && !more && bulkWorkWords.takes(time)}
    </Text>
  );
};
