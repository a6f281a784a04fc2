import { Grid, Paper, Skeleton } from '@mantine/core';
import { api } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { Failure } from '../../parts/failure.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { commonWords } from '../../words/common.ts';
import { Attention } from './attention.tsx';
import { Backlog } from './backlog.tsx';
import { Checklist } from './checklist.tsx';
import { OverTime } from './over-time.tsx';
import { words } from './words.ts';

/** What happens in the account, and what needs attention. Who may take the first steps of a new account sees them first. */
export const Page = () => {
  const { data, error, refetch } = api.useQuery('get', '/overview');
  const mayBegin = mayAs('editor', useSignedIn());
  const isNew = mayBegin && data && Object.values(data.checklist).includes(false);
  return (
    <Frame title={words.title}>
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data ? (
        <Grid gap="md">
          {isNew && (
            <Grid.Col span={12}>
              <Paper withBorder p="md">
                <Checklist steps={data.checklist} />
              </Paper>
            </Grid.Col>
          )}
          <Grid.Col span={{ base: 12, md: 8 }}>
            <Paper withBorder p="md" h="100%">
              <Attention overview={data} />
            </Paper>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 4 }}>
            <Paper withBorder p="md" h="100%">
              <Backlog overview={data} />
            </Paper>
          </Grid.Col>
        </Grid>
      ) : error ? null : (
        <Loading />
      )}
      <OverTime />
    </Frame>
  );
};

/** The room of what is being loaded. */
const Loading = () => (
  <Grid gap="md" role="status" aria-label={commonWords.loading}>
    <Grid.Col span={{ base: 12, md: 8 }}>
      <Skeleton height={160} />
    </Grid.Col>
    <Grid.Col span={{ base: 12, md: 4 }}>
      <Skeleton height={160} />
    </Grid.Col>
  </Grid>
);
