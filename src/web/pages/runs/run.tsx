import { Alert, Button, Group } from '@mantine/core';
import { useParams } from 'react-router';
import { api, client, type Schemas } from '../../api/client.ts';
import { useContact } from '../../api/contact-names.ts';
import { invalidate } from '../../api/query-client.ts';
import { mayAs } from '../../api/session.ts';
import { confirm } from '../../parts/confirm.tsx';
import { ContactLink, sayContact } from '../../parts/contact-link.tsx';
import { CodeLines, Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { OutLink } from '../../parts/out-link.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { RunStatus } from '../../parts/run-status.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { Steps } from './steps.tsx';
import { To } from '../../parts/to.tsx';
import { commonWords } from '../../words/common.ts';
import { words } from './words.ts';

type Run = Schemas['RunDetail'];

/** One run: where it is, how it came there, and what it asked of other services. */
export const Page = () => {
  const { id = '' } = useParams();
  const { data, error, refetch } = api.useQuery('get', '/runs/{id}', { params: { path: { id } } });
  const above = [{ title: words.title, to: '/runs' }];
  if (!data) return <LoadingPage title={words.one} above={above} error={error} retry={() => void refetch()} />;
  return <OneRun run={data} above={above} />;
};

const OneRun = ({ run, above }: { run: Run; above: readonly { title: string; to: string }[] }) => {
  const contact = useContact(run.contact_id);
  const flow = api.useQuery('get', '/flows/{id}', { params: { path: { id: run.flow_id } } });
  const title = contact && flow.data && words.named({ contact: sayContact(contact), flow: flow.data.name });
  return (
    <Frame
      title={title ?? words.one}
      above={above}
      description={<RunStatus run={run} />}
      actions={<Actions run={run} />}
    >
      <LoopGuard run={run} />
      <FactsOfRun run={run} flowName={flow.data?.name} />
      <Section title={words.steps} description={words.stepsHint}>
        <Steps runId={run.id} />
      </Section>
    </Frame>
  );
};

/** How many runs were not begun because this one had caused too many. */
const LoopGuard = ({ run: { loop_guard: guard } }: { run: Run }) => {
  if (guard === null) return null;
  return (
    <Alert color="orange" title={words.notBegun(guard.not_begun)}>
      {words.notBegunText} {words.notBegunLast} <Time at={guard.last_at} />
    </Alert>
  );
};

const FactsOfRun = ({ run, flowName }: { run: Run; flowName: string | undefined }) => {
  const { flow_id: flowId, flow_version: version, parent_run_id: parentId, workflow_url: workflowUrl } = run;
  const { origin_run_id: originId } = run;
  const hasParams = Object.keys(run.params).length > 0;
  return (
    <Facts
      facts={[
        [words.contact, <ContactLink key="contact" id={run.contact_id} />],
        [
          words.flow,
          <Group key="flow" gap="xs">
            <To to={`/flows/${flowId}`}>{flowName ?? '…'}</To>
            <To to={`/flows/${flowId}/versions/${version}`}>{words.version(version)}</To>
          </Group>,
        ],
        [words.started, <Time key="started" at={run.started_at} format="exact" />],
        [words.ended, run.ended_at && <Time key="ended" at={run.ended_at} format="exact" />],
        [words.stepsEntered, run.step],
        [
          words.parent,
          parentId && (
            <To key="parent" to={`/runs/${parentId}`}>
              {parentId}
            </To>
          ),
        ],
        [
          words.origin,
          originId && (
            <To key="origin" to={`/runs/${originId}`}>
              {originId}
            </To>
          ),
        ],
        [words.one, <Copyable key="id" value={run.id} label={words.one} />],
        [
          words.workflow,
          workflowUrl && (
            <OutLink key="workflow" href={workflowUrl}>
              {words.openWorkflow}
            </OutLink>
          ),
        ],
        [
          words.params,
          hasParams ? (
            <CodeLines key="params" value={JSON.stringify(run.params, null, 2)} label={words.params} />
          ) : null,
        ],
      ]}
    />
  );
};

/** What may be done to the run in its status. */
const Actions = ({ run: { id, status } }: { run: Run }) => {
  if (!mayAs('editor', useSignedIn())) return null;
  const params = { params: { path: { id } } };
  const change = async (asked: Promise<unknown>): Promise<void> => {
    await asked;
    await invalidate('/runs', '/flows');
  };
  if (status === 'running' || status === 'waiting')
    return (
      <Button
        variant="default"
        onClick={() =>
          confirm({
            title: words.cancelTitle,
            children: words.cancelText,
            action: words.cancel,
            keep: commonWords.keepIt,
            isDangerous: true,
            onConfirm: () => change(client.POST('/runs/{id}/cancel', params)),
          })
        }
      >
        {words.cancel}
      </Button>
    );
  if (status !== 'failed') return null;
  return (
    <Button
      onClick={() =>
        confirm({
          title: words.retryTitle,
          children: words.retryText,
          action: words.retry,
          onConfirm: () => change(client.POST('/runs/{id}/retry', params)),
        })
      }
    >
      {words.retry}
    </Button>
  );
};
