import { Grid, Paper } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { Failure } from '../../parts/failure.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { Attention } from './attention.tsx';
import { Backlog } from './backlog.tsx';
import { Checklist } from './checklist.tsx';
import { OverTime } from './over-time.tsx';

/** What happens in the account, and what needs attention. A new account sees first how it gets to its first signed event. */
export const Page = () => {
  const { t } = useTranslation('overview');
  const { data, error, refetch } = api.useQuery('get', '/overview');
  const isNew = data && Object.values(data.checklist).includes(false);
  return (
    <Frame title={t('title')}>
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
        <Waiting />
      )}
      <OverTime />
    </Frame>
  );
};
