import { Text } from '@mantine/core';
import { api } from '../../api/client.ts';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { useList } from '../../parts/use-list.ts';
import { sayOutcome } from '../deliveries/say-attempt.ts';
import { words } from './words.ts';

/** Deliveries end in another order than they are made. The one that disabled the webhook is among the latest of those that failed. */
const among = 10;

/** What the endpoint of a webhook answered to the last attempt of the delivery that failed last. */
export const LastFailure = ({ webhookId }: { webhookId: string }) => {
  const query = { webhook_id: webhookId, status: 'failed', test: 'false' } as const;
  const { rows = [] } = useList('/deliveries', { query, limit: among });
  const [last] = rows.toSorted((one, other) => (other.finished_at ?? '').localeCompare(one.finished_at ?? ''));
  const path = { id: last?.id ?? '' };
  const { data } = api.useQuery('get', '/deliveries/{id}', { params: { path } }, { enabled: last !== undefined });
  const attempt = data?.attempts.at(-1);
  if (!last || !attempt) return null;
  return (
    <Text size="sm" component="div">
      {words.lastFailure} {sayOutcome(attempt)} <Time at={attempt.started_at} />
      <div>
        <To to={`/settings/logs/delivery/${last.id}`}>{words.receiving.openDelivery}</To>
      </div>
    </Text>
  );
};
