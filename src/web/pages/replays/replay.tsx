import { Alert, Paper, Skeleton, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { readingOf } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Time } from '../../parts/time.tsx';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { ReplayActions } from './replay-actions.tsx';
import { BulkStatus } from '../../parts/bulk-work.tsx';
import { bulkWorkWords } from '../../words/bulk-work.ts';
import { ReplayProgress } from './replay-status.tsx';
import { To } from '../../parts/to.tsx';
import { deliveryWords } from '../../words/deliveries.ts';
import { words } from './words.ts';

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
  const { id = '' } = useParams();
  const mayChange = mayAs('editor', useSignedIn());
  const asked = api.useQuery(
    'get',
    '/replays/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.status === 'running' ? askAgainMs : false) },
  );
  const { data, error, refetch } = asked;
  return (
    <Frame
      reading={readingOf(asked)}
      title={words.one}
      above={[{ title: words.title, to: '/settings/logs/replays' }]}
      actions={data && mayChange && <ReplayActions replay={data} />}
    >
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data ? <About replay={data} /> : !error && <Skeleton height={240} />}
    </Frame>
  );
};

const About = ({ replay }: { replay: Replay }) => {
  const { sayWebhook } = useWebhooks();
  const { filter, status, stop_reason, replayed, skipped, pace } = replay;
  const lostSince = sinceASuccess(filter);
  return (
    <Stack gap="md">
      {stop_reason && <Alert color="yellow">{words.stopped[stop_reason]}</Alert>}
      <ReplayProgress replay={replay} />
      <Paper withBorder p="md">
        <Facts
          facts={[
            [words.status, <BulkStatus key="status" status={status} />],
            [words.webhook, filter.webhook_id === null ? words.allWebhooks : sayWebhook(filter.webhook_id)],
            [words.deliveries, filter.status.map((one) => deliveryWords.statuses[one]).join(', ')],
            [words.since, filter.since && <Time key="since" at={filter.since} format="exact" />],
            [words.until, filter.until && <Time key="until" at={filter.until} format="exact" />],
            [words.lostSince, lostSince && <Time key="lost" at={lostSince} format="exact" />],
            [words.replayed, replayed],
            [words.skipped, skipped > 0 ? `${skipped}: ${words.skippedHint}` : 0],
            [bulkWorkWords.paceName, bulkWorkWords.paceOf(pace)],
            [words.created, <Time key="created" at={replay.created_at} />],
            [words.finished, replay.finished_at && <Time key="finished" at={replay.finished_at} />],
            [words.id, <Copyable key="id" value={replay.id} label={words.id} />],
          ]}
        />
      </Paper>
      <To to={logOf(filter)}>{words.seeDeliveries}</To>
    </Stack>
  );
};
