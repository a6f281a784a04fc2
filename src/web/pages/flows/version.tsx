import { Button, Code, List, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { compareDefinitions, type Difference } from './compare.ts';
import { showDefinition } from './definition-text.ts';
import { restoreVersion } from './restore-version.ts';
import { words } from './words.ts';

const Drawing = lazy(async () => ({ default: (await import('./drawing/drawing.tsx')).Drawing }));
const JsonEditor = lazy(async () => ({ default: (await import('./json/json-editor.tsx')).JsonEditor }));

const tabs = ['drawing', 'json'] as const;

/** One version of a flow, and what the draft has otherwise. */
export const Page = () => {
  const { id = '', version = '' } = useParams();
  const navigate = useNavigate();
  const mayEdit = mayAs('editor', useSignedIn());
  const { filters, setFilters } = useFilters(['tab']);
  const flow = api.useQuery('get', '/flows/{id}', { params: { path: { id } } });
  const shown = api.useQuery('get', '/flows/{id}/versions/{version}', { params: { path: { id, version } } });
  const draft = api.useQuery('get', '/flows/{id}/draft', { params: { path: { id } } });
  const definition = shown.data?.definition;
  const text = useMemo(() => (definition ? showDefinition(definition) : ''), [definition]);
  const above = [
    { title: words.title, to: '/flows' },
    { title: flow.data?.name ?? words.one, to: `/flows/${id}` },
    { title: words.draft.versions, to: `/flows/${id}?tab=versions` },
  ];
  // A version never changes: what is loaded stays, also where it could not be loaded again.
  if (!shown.data) {
    const title = words.versionOf(version);
    return <LoadingPage title={title} above={above} error={shown.error} retry={() => void shown.refetch()} />;
  }
  const { version: number, created_at: publishedAt, is_current: isCurrent } = shown.data;
  const restore = mayEdit && (
    <Button variant="default" onClick={() => restoreVersion(id, number, () => void navigate(`/flows/${id}?tab=json`))}>
      {words.draft.restore}
    </Button>
  );
  return (
    <Frame
      title={words.versionOf(number)}
      above={above}
      actions={restore}
      description={
        <>
          {words.draft.publishedAt} <Time at={publishedAt} />{' '}
          {isCurrent && <Status tone="good">{words.draft.current}</Status>}
        </>
      }
    >
      {draft.data && <Differences differences={compareDefinitions(shown.data.definition, draft.data.definition)} />}
      <Tabs
        value={tabs.find((known) => known === filters.tab) ?? tabs[0]}
        onChange={(tab) => setFilters({ tab })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {words.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Suspense fallback={<Skeleton height={320} />}>
          <Tabs.Panel value="drawing">
            <Drawing flowId={id} definition={shown.data.definition} />
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <JsonEditor label={words.draft.definition} value={text} />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </Frame>
  );
};

const Differences = ({ differences }: { differences: readonly Difference[] }) => (
  <Stack gap={4} component="section" aria-label={words.draft.differences}>
    <Title order={2} size="h5">
      {words.draft.differences}
    </Title>
    {differences.length === 0 && <Text size="sm">{words.draft.same}</Text>}
    <List size="sm">
      {differences.map(({ blockId, kind }) => (
        <List.Item key={blockId ?? ''}>
          {blockId === null ? words.draft.otherThanBlocks : <Code>{blockId}</Code>}: {words.draft.differs[kind]}
        </List.Item>
      ))}
    </List>
  </Stack>
);
