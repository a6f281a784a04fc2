import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '../../api/client.ts';

const hourly = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const daily = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** Room for the last point of a line, which lies on the edge of the chart. */
const pointsWhole = { margin: { right: 8 }, accessibilityLayer: false };

/** Nothing in what is hidden from screen readers takes the focus. */
const notFocused = { accessibilityLayer: false };

/** The same numbers stand in a table below, so that screen readers leave these out. Who points at them sees the numbers. */
export const Charts = ({ statistics: { points, interval } }: { statistics: Schemas['Statistics'] }) => {
  const { t } = useTranslation('overview');
  const format = interval === 'hour' ? hourly : daily;
  const counts = points.map(({ at, events, deliveries }) => ({
    at: format.format(new Date(at)),
    [t('events')]: events ?? 0,
    [t('delivered')]: deliveries.delivered,
    [t('failedOrDropped')]: deliveries.failed + deliveries.dropped,
  }));
  const latencies = points.map(({ at, latency_ms }) => ({
    at: format.format(new Date(at)),
    [t('latency')]: latency_ms?.p50 ?? null,
    [t('latency95')]: latency_ms?.p95 ?? null,
    [t('latency99')]: latency_ms?.p99 ?? null,
  }));
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} aria-hidden>
      <Stack gap="xs">
        <Text fw={600}>{t('deliveriesChart')}</Text>
        <BarChart
          h={240}
          data={counts}
          dataKey="at"
          withLegend
          barChartProps={notFocused}
          yAxisProps={{ allowDecimals: false }}
          legendProps={{ itemSorter: null }}
          series={[
            { name: t('events'), color: 'gray.6' },
            { name: t('delivered'), color: 'brand.6' },
            { name: t('failedOrDropped'), color: 'red.7' },
          ]}
        />
      </Stack>
      <Stack gap="xs">
        <Text fw={600}>{t('latencyChart')}</Text>
        <LineChart
          h={240}
          data={latencies}
          dataKey="at"
          withLegend
          connectNulls={false}
          lineChartProps={pointsWhole}
          series={[
            { name: t('latency'), color: 'brand.6' },
            { name: t('latency95'), color: 'yellow.7' },
            { name: t('latency99'), color: 'red.7' },
          ]}
        />
      </Stack>
    </SimpleGrid>
  );
};
