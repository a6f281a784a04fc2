import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { words } from './words.ts';

const hourly = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const daily = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** Room for the last point of a line, which lies on the edge of the chart. */
const pointsWhole = { margin: { right: 8 }, accessibilityLayer: false };

/** Nothing in what is hidden from screen readers takes the focus. */
const notFocused = { accessibilityLayer: false };

/** The same numbers stand in a table below, so that screen readers leave these out. Who points at them sees the numbers. */
export const Charts = ({ statistics: { points, interval } }: { statistics: Schemas['Statistics'] }) => {
  const format = interval === 'hour' ? hourly : daily;
  const counts = points.map(({ at, events, deliveries }) => ({
    at: format.format(new Date(at)),
    [words.events]: events ?? 0,
    [words.delivered]: deliveries.delivered,
    [words.failedOrDropped]: deliveries.failed + deliveries.dropped,
  }));
  const latencies = points.map(({ at, latency_ms }) => ({
    at: format.format(new Date(at)),
    [words.latency]: latency_ms?.p50 ?? null,
    [words.latency95]: latency_ms?.p95 ?? null,
    [words.latency99]: latency_ms?.p99 ?? null,
  }));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} aria-hidden>
      <Stack gap="xs">
        <Text fw={600}>{words.deliveriesChart}</Text>
        <BarChart
          h={240}
          data={counts}
          dataKey="at"
          withLegend
          barChartProps={notFocused}
          yAxisProps={{ allowDecimals: false }}
          legendProps={{ itemSorter: null }}
          series={[
            { name: words.events, color: 'gray.6' },
            { name: words.delivered, color: 'brand.6' },
            { name: words.failedOrDropped, color: 'red.7' },
          ]}
        />
      </Stack>
      <Stack gap="xs">
        <Text fw={600}>{words.latencyChart}</Text>
        <LineChart
          h={240}
          data={latencies}
          dataKey="at"
          withLegend
          connectNulls={false}
          lineChartProps={pointsWhole}
          series={[
            { name: words.latency, color: 'brand.6' },
            { name: words.latency95, color: 'yellow.7' },
            { name: words.latency99, color: 'red.7' },
          ]}
        />
      </Stack>
    </SimpleGrid>
  );
};
