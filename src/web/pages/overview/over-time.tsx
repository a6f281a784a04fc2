import { Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Schemas } from '../../api/client.ts';
import { words } from './words.ts';

/** Not needed for what is seen first. */
const Charts = lazy(async () => ({ default: (await import('./charts.tsx')).Charts }));

/** How messages, deliveries and latency went, drawn and as a table. */
export const OverTime = ({ statistics }: { statistics: Schemas['Statistics'] }) => (
  <Paper component="section" aria-label={words.statistics} withBorder p="md">
    <Stack gap="md">
      <Title order={2} size="h4">
        {words.statistics}
      </Title>
      {statistics.live_capped && (
        <Text size="sm" c="dimmed">
          {words.capped}
        </Text>
      )}
      <Suspense fallback={<Skeleton height={280} />}>
        <Charts statistics={statistics} />
      </Suspense>
    </Stack>
  </Paper>
);
