import { Group, Paper, SegmentedControl, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { api, type Schemas } from '../../api/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useNow } from '../../parts/use-now.ts';
import { PointsTable } from './points-table.tsx';
import { words } from './words.ts';

const Charts = lazy(async () => ({ default: (await import('./charts.tsx')).Charts }));

const hourMs = 3_600_000;

const ranges = {
  day: { hours: 24, interval: 'hour' },
  week: { hours: 7 * 24, interval: 'day' },
  month: { hours: 30 * 24, interval: 'day' },
} as const;

type Range = keyof typeof ranges;

const isRange = (text: string | undefined): text is Range => text !== undefined && Object.hasOwn(ranges, text);

/** Events, deliveries and latency of a day, a week or a month. */
export const OverTime = () => {
  const { filters, setFilters } = useFilters(['range']);
  const range = isRange(filters.range) ? filters.range : 'day';
  const { hours, interval } = ranges[range];
  // To the hour, so that the question stays the same while it is asked again.
  const hour = Math.floor(useNow() / hourMs);
  const { data, error, refetch } = api.useQuery('get', '/statistics', {
    params: {
      query: {
        from: new Date((hour - hours + 1) * hourMs).toISOString(),
        interval,
        time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
      },
    },
  });
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h4">
          {words.statistics}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={words.range}
          value={range}
          onChange={(value) => setFilters({ range: value === 'day' ? null : value })}
          data={(['day', 'week', 'month'] as const).map((value) => ({ value, label: words.ranges[value] }))}
        />
      </Group>
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data ? <Shown statistics={data} /> : error ? null : <Skeleton height={260} />}
    </Stack>
  );
};

const isQuiet = ({ events, attempts }: Schemas['Statistics']['total']): boolean =>
  (events ?? 0) === 0 && attempts.made === 0;

const Shown = ({ statistics }: { statistics: Schemas['Statistics'] }) => {
  const { total, live_capped } = statistics;
  if (isQuiet(total)) return <Empty title={words.nothingYet}>{words.nothingYetHint}</Empty>;
  const { delivered, failed, dropped } = total.deliveries;
  const figures: [name: string, figure: string][] = [
    [words.events, (total.events ?? 0).toLocaleString()],
    [words.delivered, delivered.toLocaleString()],
    [words.failedOrDropped, (failed + dropped).toLocaleString()],
    [words.failedAttempts, total.attempts.failed.toLocaleString()],
    [words.latency, total.latency_ms ? words.ms(total.latency_ms.p50) : '–'],
    [words.latency95, total.latency_ms ? words.ms(total.latency_ms.p95) : '–'],
  ];
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 6 }} spacing="sm">
        {figures.map(([name, figure]) => (
          <Paper key={name} withBorder p="sm">
            <Text size="sm" c="dimmed">
              {name}
            </Text>
            <Text size="xl" fw={650}>
              {figure}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      {live_capped && (
        <Text size="sm" c="dimmed">
          {words.capped}
        </Text>
      )}
      <Suspense fallback={<Skeleton height={260} />}>
        <Charts statistics={statistics} />
      </Suspense>
      <PointsTable statistics={statistics} />
    </>
  );
};
