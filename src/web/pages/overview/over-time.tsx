import { Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Schemas } from '../../api/client.ts';
import { Freshness, type Reading } from '../../parts/freshness.tsx';
import { words } from './words.ts';

/** Not needed for what is seen first. */
const Charts = lazy(async () => ({ default: (await import('./charts.tsx')).Charts }));

/** How messages, deliveries and latency went, drawn and as a table. */
export const OverTime = ({ statistics, reading }: { statistics: Schemas['Statistics']; reading: Reading }) => (
  <Paper component="section" aria-label={words.statistics} withBorder p="md">
    <Stack gap="md">
      <Group justify="space-between" gap="xs">
        <Title order={2} size="h4">
          {words.statistics}
        </Title>
        <Freshness of={reading} />
      </Group>
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
