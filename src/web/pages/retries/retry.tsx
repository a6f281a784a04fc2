import { Alert, Paper, Skeleton, Stack } from '@mantine/core';
import { useParams } from 'react-router';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { BulkActions, BulkProgress, BulkStatus } from '../../parts/bulk-work.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Failure } from '../../parts/failure.tsx';
import { readingOf } from '../../parts/freshness.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { sayRunReason } from '../../parts/say-run-reason.ts';
import { Time } from '../../parts/time.tsx';
import { To } from '../../parts/to.tsx';
import { useFlowNames } from '../../parts/use-flow-names.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { bulkWorkWords } from '../../words/bulk-work.ts';
import { words } from './words.ts';

type Retry = Schemas['Retry'];

/** A running retry goes on every second: its page asks every so many ms. */
const askAgainMs = 2_000;

/** One bulk retry: how far it is, and what can be done with it. */
export const Page = () => {
  const { id = '' } = useParams();
  const mayChange = mayAs('editor', useSignedIn());
  const asked = api.useQuery(
    'get',
    '/retries/{id}',
    { params: { path: { id } } },
    { refetchInterval: ({ state }) => (state.data?.status === 'running' ? askAgainMs : false) },
  );
  const { data, error, refetch } = asked;
  return (
    <Frame
      reading={readingOf(asked)}
      title={data ? words.start.title(data.block_id) : words.one}
      above={[{ title: words.title, to: '/settings/logs/retries' }]}
      actions={data && mayChange && <Actions retry={data} />}
    >
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {data ? <About retry={data} /> : !error && <Skeleton height={240} />}
    </Frame>
  );
};

const Actions = ({ retry: { id, status } }: { retry: Retry }) => {
  const params = { path: { id } };
  const change = async (asked: Promise<unknown>): Promise<void> => {
    await asked;
    await invalidate('/retries');
  };
  return (
    <BulkActions
      status={status}
      cancelWords={{ action: words.cancel, title: words.cancelTitle, text: words.cancelText }}
      pause={() => change(client.POST('/retries/{id}/pause', { params }))}
      resume={() => change(client.POST('/retries/{id}/resume', { params }))}
      cancel={() => change(client.POST('/retries/{id}/cancel', { params }))}
    />
  );
};

const About = ({ retry }: { retry: Retry }) => {
  const { nameOf } = useFlowNames();
  const { flow_id: flowId, version, retried, refused, total, more_than_total: isMore, stop_reason: reason } = retry;
  return (
    <Stack gap="md">
      {reason && <Alert color="yellow">{words.stopped[reason]}</Alert>}
      <BulkProgress done={retried + refused} total={total} isMore={isMore} />
      <Paper withBorder p="md">
        <Facts
          facts={[
            [words.status, <BulkStatus key="status" status={retry.status} />],
            [
              words.flow,
              <To key="flow" to={`/flows/${flowId}`}>
                {nameOf(flowId)}
              </To>,
            ],
            [words.block, retry.block_id],
            [
              words.version,
              <To key="version" to={`/flows/${flowId}/versions/${version}`}>
                {words.start.versionOf(version, false)}
              </To>,
            ],
            [words.reasons, retry.reasons?.map(sayRunReason).join(', ') ?? words.allReasons],
            [words.fromVersions, retry.from_versions?.join(', ') ?? words.allVersions],
            [words.retried, retried],
            [words.refused, refused > 0 ? `${refused}: ${words.refusedHint}` : 0],
            [bulkWorkWords.paceName, bulkWorkWords.paceOf(retry.pace)],
            [words.created, <Time key="created" at={retry.created_at} />],
            [words.finished, retry.finished_at && <Time key="finished" at={retry.finished_at} />],
            [words.id, <Copyable key="id" value={retry.id} label={words.id} />],
          ]}
        />
      </Paper>
      <To to={`/flows/${flowId}?tab=runs&block=${encodeURIComponent(retry.block_id)}`}>{words.seeRuns}</To>
    </Stack>
  );
};
