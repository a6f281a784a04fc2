import { Stack, Title } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { Facts } from '../../parts/facts.tsx';
import { To } from '../../parts/to.tsx';
import { sayCount } from './say-count.ts';
import { words } from './words.ts';

/** What waits now; each number leads to what it counts. */
export const Backlog = ({ overview: { backlog, handovers } }: { overview: Schemas['Overview'] }) => {
  const inLog = (status: 'pending' | 'retrying' | 'parked') => (
    <To to={`/settings/logs/delivery?status=${status}`}>{sayCount(backlog[status])}</To>
  );
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {words.backlog}
      </Title>
      <Facts
        facts={[
          [words.pending, inLog('pending')],
          [words.retrying, inLog('retrying')],
          [words.parkedNow, inLog('parked')],
          [
            words.openHandovers,
            <To key="handovers" to="/conversations?state=handover">
              {sayCount(handovers.open)}
            </To>,
          ],
        ]}
      />
    </Stack>
  );
};
