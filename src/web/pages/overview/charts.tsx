import { Button, SimpleGrid, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import type { Schemas } from '../../api/client.ts';
import { locale } from '../../locale.ts';
import { Chart } from '../../parts/chart.tsx';
import { words } from './words.ts';

const PointsTable = lazy(async () => ({ default: (await import('./points-table.tsx')).PointsTable }));

const hourly = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const daily = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });

/** The numbers over time, drawn and as a table. */
export const Charts = ({ statistics }: { statistics: Schemas['Statistics'] }) => {
  const [isTable, { toggle }] = useDisclosure();
  return (
    <>
      <Drawn statistics={statistics} />
      <Button
        variant="default"
        size="compact-sm"
        aria-expanded={isTable}
        onClick={toggle}
        style={{ alignSelf: 'start' }}
      >
        {words.asTable}
      </Button>
      {isTable && (
        <Suspense fallback={<Skeleton height={200} />}>
          <PointsTable statistics={statistics} />
        </Suspense>
      )}
    </>
  );
};

const Drawn = ({ statistics: { points, interval } }: { statistics: Schemas['Statistics'] }) => {
  const format = interval === 'hour' ? hourly : daily;
  const names = points.map(({ at }) => format.format(new Date(at)));
  const latency = (part: 'p50' | 'p95' | 'p99') => points.map(({ latency_ms }) => latency_ms?.[part] ?? null);
  return (
    <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
      <Chart
        kind="bars"
        title={words.messagesChart}
        points={names}
        series={[
          { name: words.received, hue: 'one', values: points.map(({ activity }) => activity?.messages.received ?? 0) },
          { name: words.sent, hue: 'two', values: points.map(({ activity }) => activity?.messages.sent ?? 0) },
        ]}
      />
      <Chart
        kind="bars"
        title={words.deliveriesChart}
        points={names}
        series={[
          { name: words.delivered, hue: 'one', values: points.map(({ deliveries }) => deliveries.delivered) },
          {
            name: words.failedOrDropped,
            hue: 'bad',
            values: points.map(({ deliveries }) => deliveries.failed + deliveries.dropped),
          },
        ]}
      />
      <Chart
        kind="lines"
        title={words.latencyChart}
        points={names}
        say={words.ms}
        series={[
          { name: words.p50, hue: 'one', values: latency('p50') },
          { name: words.p95, hue: 'warn', values: latency('p95') },
          { name: words.p99, hue: 'bad', values: latency('p99') },
        ]}
      />
    </SimpleGrid>
  );
};
