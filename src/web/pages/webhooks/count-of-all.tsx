import { Text } from '@mantine/core';
import { beyondCap, countCap } from '../../../shared/replays/count.ts';
import { defaultPace } from '../../../shared/replays/schema.ts';
import { api } from '../../api/client.ts';
import { Failure } from '../../parts/failure.tsx';
import { sayCapped } from '../../parts/say-capped.ts';
import { SayReplayCount } from '../replays/replay-count.tsx';
import { words } from './words.ts';

/** How many deliveries a re-enabling would send that replays all, and how many of each status. */
export const CountOfAll = ({ webhookId }: { webhookId: string }) => {
  const { data, error } = api.useQuery('post', '/webhooks/{id}/re-enable/preview', {
    params: { path: { id: webhookId } },
    body: { replay: { type: 'all' } },
  });
  if (error) return <Failure error={error} />;
  const found = data?.replay_found;
  if (!found) return <SayReplayCount found={undefined} pace={defaultPace} />;
  const { parked, failed, dropped } = found;
  const total = parked + failed + dropped;
  const say = (count: number): string => sayCapped(count, beyondCap);
  return (
    <div>
      <SayReplayCount found={{ count: Math.min(total, countCap), more: total > countCap }} pace={defaultPace} />
      {total > 0 && (
        <Text size="sm" c="dimmed">
          {words.wouldFind({ parked: say(parked), failed: say(failed), dropped: say(dropped) })}
        </Text>
      )}
    </div>
  );
};
