import { Alert, Paper, Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { ReplayActions } from './replay-actions.tsx';
import { ReplayProgress, ReplayStatus } from './replay-status.tsx';
import { To } from '../../parts/to.tsx';

type Replay = Schemas['Replay'];

/** A running replay goes on every second: its page asks every so many ms. */
const askAgainMs = 2_000;

/** The part of the log that a replay goes through. */
const logOf = ({ webhook_id, status, since, until }: Replay['filter']): string => {
  const query = new URLSearchParams({ status: status.join(',') });
  for (const [name, value] of Object.entries({ webhook_id, since, until })) if (value) query.set(name, value);
  return `/settings/logs/delivery?${query}`;
};

/** The last success of a webhook that is re-enabled; null of one that never had any, where the API has the beginning of time. */
const sinceASuccess = ({ lost_since: at }: Replay['filter']): string | null => (at && Date.parse(at) > 0 ? at : null);

/** One bulk replay: how far it is, and what can be done with it. */
export const Page = () => {
  const { t } = useTranslation(['replays', 'deliveries']);
  const { id = '' } = useParams();
  const mayChange = mayAs('editor', useSignedIn());
  const { data, error, refetch } = api.useQuery(
    'get',
    '/replays/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.status === 'running' ? askAgainMs : false) },
  );
  return (
    <Frame
      title={t('one')}
      above={[{ title: t('title'), to: '/settings/logs/replays' }]}
      actions={data && mayChange && <ReplayActions replay={data} />}
    >
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data ? <About replay={data} /> : !error && <Skeleton height={240} />}
    </Frame>
  );
};

const About = ({ replay }: { replay: Replay }) => {
  const { t } = useTranslation(['replays', 'deliveries']);
  const { sayWebhook } = useWebhooks();
  const { filter, status, stop_reason, replayed, skipped, pace } = replay;
  const lostSince = sinceASuccess(filter);
  return (
    <Stack gap="md">
      {stop_reason && <Alert color="yellow">{t(`stopped.${stop_reason}`)}</Alert>}
      <ReplayProgress replay={replay} />
      <Paper withBorder p="md">
        <Facts
          facts={[
            [t('status'), <ReplayStatus key="status" status={status} />],
            [t('webhook'), filter.webhook_id === null ? t('allWebhooks') : sayWebhook(filter.webhook_id)],
            [t('deliveries'), filter.status.map((one) => t(`deliveries:statuses.${one}`)).join(', ')],
            [t('since'), filter.since && <Time key="since" at={filter.since} />],
            [t('until'), filter.until && <Time key="until" at={filter.until} />],
            [t('lostSince'), lostSince && <Time key="lost" at={lostSince} />],
            [t('replayed'), replayed],
            [t('skipped'), skipped > 0 ? `${skipped}: ${t('skippedHint')}` : 0],
            [t('paceName'), t('paceOf', { pace })],
            [t('created'), <Time key="created" at={replay.created_at} />],
            [t('finished'), replay.finished_at && <Time key="finished" at={replay.finished_at} />],
            [t('id'), <Copyable key="id" value={replay.id} label={t('id')} />],
          ]}
        />
      </Paper>
      <To to={logOf(filter)}>{t('seeDeliveries')}</To>
    </Stack>
  );
};
