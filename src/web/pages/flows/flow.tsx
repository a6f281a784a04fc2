import { Alert, Group, Skeleton, Tabs, Text } from '@mantine/core';
import { lazy, Suspense, useRef, useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { usePresence } from '../../live/presence.ts';
import { Failure } from '../../parts/failure.tsx';
import { readingOf, type Reading } from '../../parts/freshness.tsx';
import { KeptWarnings } from '../../parts/kept-warnings.tsx';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { PresentUsers } from '../../parts/present-users.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { Conflicts } from './draft/conflicts.tsx';
import { OfDraft, useOpenedDraft, WithDraft } from './draft/draft-context.tsx';
import { FlowActions, type Refused } from './flow-actions.tsx';
import { FlowStatus } from './flow-status.tsx';
import { To } from '../../parts/to.tsx';
import { JustPublished } from './live/just-published.tsx';
import { RunsTab } from './runs-tab.tsx';
import { VersionsTab } from './versions-tab.tsx';
import { words } from './words.ts';

const DrawingTab = lazy(async () => ({ default: (await import('./drawing/drawing-tab.tsx')).DrawingTab }));
const Builder = lazy(async () => ({ default: (await import('./builder/builder.tsx')).Builder }));
const TriggersTab = lazy(async () => ({ default: (await import('./triggers-tab.tsx')).TriggersTab }));
const JsonTab = lazy(async () => ({ default: (await import('./json/json-tab.tsx')).JsonTab }));

const tabs = ['builder', 'triggers', 'runs', 'json', 'versions'] as const;

type Tab = (typeof tabs)[number];

/** One flow: its draft, its versions, and what it does with contacts. */
export const Page = () => {
  const { id = '' } = useParams();
  const asked = api.useQuery('get', '/flows/{id}', { params: { path: { id } } });
  const { data, error, refetch } = asked;
  if (data) return <OneFlow key={id} flow={data} reading={readingOf(asked)} />;
  const above = [{ title: words.title, to: '/flows' }];
  return <LoadingPage title={words.one} above={above} error={error} retry={() => void refetch()} fill isCompact />;
};

const OneFlow = ({ flow, reading }: { flow: Schemas['Flow']; reading: Reading }) => {
  const mayEdit = mayAs('editor', useSignedIn());
  const [params, setParams] = useSearchParams();
  const asked = tabs.find((known) => known === params.get('tab')) ?? tabs[0];
  // Who may change triggers does so in the builder, where they are the form of the start.
  const mayBuild = mayEdit && flow.status !== 'archived';
  const tab = mayBuild && asked === 'triggers' ? 'builder' : asked;
  const goTo = (next: Tab): void => setParams({ tab: next });
  const [refused, setRefused] = useState<Refused>();
  const others = usePresence(flow.id);
  const keptEditor = useRef<unknown>(undefined);
  const refuse = (next: Refused): void => {
    setRefused(next);
    goTo('json');
  };
  return (
    <WithDraft flowId={flow.id} revision={flow.draft_revision}>
      <Frame
        title={flow.name}
        beside={<PresentUsers others={others} />}
        above={[{ title: words.title, to: '/flows' }]}
        actions={
          <FlowActions
            flow={flow}
            onPublish={() => setRefused(undefined)}
            onRefused={refuse}
            showProblems={() => goTo('json')}
            areCounted={tab === 'builder' && mayBuild}
          />
        }
        description={<State {...flow} />}
        reading={reading}
        fill={tab === 'builder'}
        isCompact={tab === 'builder'}
      >
        {refused && <RefusedPublish refused={refused} close={() => setRefused(undefined)} />}
        <OfDraft>{(draft) => draft && <Conflicts draft={draft} others={others} />}</OfDraft>
        {mayEdit && <OfDraft>{(draft) => <JustPublished flow={flow} definition={draft?.definition} />}</OfDraft>}
        <KeptWarnings
          of={flow.id}
          title={words.publishedWarns}
          lead={{
            code: 'scenario',
            children: <To to={`/flows/${flow.id}?tab=builder&phone=scenarios`}>{words.openScenarios}</To>,
          }}
        />
        <Tabs
          value={tab}
          onChange={(next) => goTo(tabs.find((known) => known === next) ?? tabs[0])}
          keepMounted={false}
          className="fill"
        >
          <Tabs.List mb="md">
            {tabs
              .filter((name) => !mayBuild || name !== 'triggers')
              .map((name) => (
                <Tabs.Tab key={name} value={name}>
                  {words.tabs[name === 'builder' && !mayBuild ? 'drawing' : name]}
                </Tabs.Tab>
              ))}
          </Tabs.List>
          <DraftFailure />
          <Suspense fallback={<Skeleton height={320} className="fill" />}>
            <Tabs.Panel value="builder" className="fill">
              <Built flow={flow} mayBuild={mayBuild} opensStart={asked === 'triggers'} />
            </Tabs.Panel>
            <Tabs.Panel value="triggers">
              <OfDraft>
                {(draft) =>
                  draft ? <TriggersTab flow={flow} definition={draft.definition} /> : <Skeleton height={320} />
                }
              </OfDraft>
            </Tabs.Panel>
            <Tabs.Panel value="json">
              <OfDraft>
                {(draft) =>
                  draft ? <JsonTab draft={draft} kept={keptEditor} mayEdit={mayBuild} /> : <Skeleton height={320} />
                }
              </OfDraft>
            </Tabs.Panel>
            <Tabs.Panel value="versions">
              <OfDraft>{(draft) => <VersionsTab flowId={flow.id} draft={draft} />}</OfDraft>
            </Tabs.Panel>
            <Tabs.Panel value="runs">
              <RunsTab flowId={flow.id} />
            </Tabs.Panel>
          </Suspense>
        </Tabs>
      </Frame>
    </WithDraft>
  );
};

type Building = { flow: Schemas['Flow']; mayBuild: boolean; opensStart: boolean };

/** The draft, to be built; to be looked at where it may not be changed. */
const Built = ({ flow, mayBuild, opensStart }: Building) => {
  const { draft } = useOpenedDraft();
  if (!draft) return <Skeleton height={320} className="fill" />;
  if (!mayBuild) return <DrawingTab flowId={flow.id} definition={draft.definition} />;
  return <Builder flowId={flow.id} draft={draft} opensStart={opensStart} />;
};

const DraftFailure = () => {
  const { error, retry } = useOpenedDraft();
  return error ? <Failure error={error} retry={retry} /> : null;
};

/** Says that the draft as it is was refused, until it is changed. */
const RefusedPublish = ({ refused, close }: { refused: Refused; close: () => void }) => {
  const { draft } = useOpenedDraft();
  if (refused.definition !== draft?.definition) return null;
  return (
    <Alert color="red" role="alert" title={words.refused(refused.errors)} withCloseButton onClose={close}>
      {words.refusedHint}
    </Alert>
  );
};

const State = ({ status, version, draft_changed: isChanged }: Schemas['Flow']) => (
  <Group gap="xs">
    <FlowStatus status={status} />
    <Text size="sm">{version === null ? words.noVersion : words.versionOf(version)}</Text>
    {version !== null && isChanged && <Text size="sm">· {words.changed}</Text>}
  </Group>
);
