import { Grid, Paper, SegmentedControl, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { Navigate } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { Failure } from '../../parts/failure.tsx';
import { Freshness, readingOf, type Reading } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useNow } from '../../parts/use-now.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { Attention } from './attention.tsx';
import { Backlog } from './backlog.tsx';
import { Checklist } from './checklist.tsx';
import { OverTime } from './over-time.tsx';
import { queryOf, rangeNames, readRange } from './ranges.ts';
import { ActivityTiles, DeliveryTiles } from './tiles.tsx';
import { words } from './words.ts';

/** Where a user begins: editors with what happens in the account and what needs attention, agents with the conversations. */
export const Page = () => (mayAs('editor', useSignedIn()) ? <Overview /> : <Navigate to="/inbox" replace />);

const Overview = () => {
  const overview = api.useQuery('get', '/overview');
  const { data, error } = overview;
  const { filters, setFilters } = useFilters(['range']);
  const range = readRange(filters.range);
  const asked = { params: { query: queryOf(range, useNow()) } };
  const statistics = api.useQuery('get', '/statistics', asked);
  // All of it comes at once: each part would push down those that came before it.
  const isThere = (data ?? error) && (statistics.data ?? statistics.error);
  const isNew = data && Object.values(data.checklist).includes(false);
  return (
    <Frame
      title={words.title}
      description={words.compared[range]}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={words.range}
          value={range}
          onChange={(value) => setFilters({ range: value === 'day' ? null : value })}
          data={rangeNames.map((value) => ({ value, label: words.ranges[value] }))}
        />
      }
    >
      {isThere ? (
        <>
          {error && !data ? <Failure error={error} retry={() => void overview.refetch()} /> : null}
          {isNew && (
            <Paper withBorder p="md">
              <Checklist steps={data.checklist} />
            </Paper>
          )}
          {statistics.error && !statistics.data ? (
            <Failure error={statistics.error} retry={() => void statistics.refetch()} />
          ) : null}
          {statistics.data && <ActivityTiles statistics={statistics.data} />}
          {data && <Present overview={data} reading={readingOf(overview)} />}
          {statistics.data && (
            <>
              <Stack gap="sm">
                <Title order={2} size="h4">
                  {words.deliverability}
                </Title>
                <DeliveryTiles statistics={statistics.data} />
              </Stack>
              <OverTime statistics={statistics.data} reading={readingOf(statistics)} />
            </>
          )}
        </>
      ) : (
        <Loading />
      )}
    </Frame>
  );
};

/** What needs attention now, beside what waits. */
const Present = ({ overview, reading }: { overview: Schemas['Overview']; reading: Reading }) => (
  <Grid gap="md">
    <Grid.Col span={{ base: 12, md: 8 }}>
      <Paper withBorder p="md" h="100%">
        <Attention overview={overview} />
        <Freshness of={reading} />
      </Paper>
    </Grid.Col>
    <Grid.Col span={{ base: 12, md: 4 }}>
      <Paper withBorder p="md" h="100%">
        <Backlog overview={overview} />
      </Paper>
    </Grid.Col>
  </Grid>
);

/** The room of what is being loaded. */
const Loading = () => (
  <Stack gap="md" role="status" aria-label={commonWords.loading}>
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="sm">
      {['messages', 'contacts', 'answers', 'runs'].map((tile) => (
        <Skeleton key={tile} height={142} />
      ))}
    </SimpleGrid>
    <Skeleton height={240} />
  </Stack>
);
