import { useParams } from 'react-router';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { BulkAbout, BulkPage, whileRunning } from '../../parts/bulk-page.tsx';
import { BulkActions } from '../../parts/bulk-work.tsx';
import { sayRunReason } from '../../parts/say-run-reason.ts';
import { To } from '../../parts/to.tsx';
import { useFlowNames } from '../../parts/use-flow-names.ts';
import { words } from './words.ts';

type Retry = Schemas['Retry'];

/** One bulk retry: how far it is, and what can be done with it. */
export const Page = () => {
  const { id = '' } = useParams();
  const asked = api.useQuery('get', '/retries/{id}', { params: { path: { id } } }, whileRunning);
  return (
    <BulkPage
      asked={asked}
      title={asked.data ? words.start.title(asked.data.block_id) : words.one}
      above={{ title: words.title, to: '/settings/logs/retries' }}
      actions={(retry) => <Actions retry={retry} />}
    >
      {(retry) => <About retry={retry} />}
    </BulkPage>
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
  const { flow_id: flowId, version, retried, refused, stop_reason: reason } = retry;
  return (
    <BulkAbout
      work={retry}
      done={retried + refused}
      stopped={reason && words.stopped[reason]}
      facts={[
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
      ]}
    >
      <To to={`/flows/${flowId}?tab=runs&block=${encodeURIComponent(retry.block_id)}`}>{words.seeRuns}</To>
    </BulkAbout>
  );
};
