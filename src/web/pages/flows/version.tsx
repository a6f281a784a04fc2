import { Button, Select, Skeleton, Stack, Tabs, Text, Title } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { useNavigate, useParams } from 'react-router';
import { api, type Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { LoadingPage } from '../../parts/loading-page.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useUsers } from '../../parts/use-users.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { DifferenceList } from './compare/difference-list.tsx';
import { differencesOf } from './compare/differences.ts';
import { showDefinition, type AnyDefinition } from './definition-text.ts';
import { useDraft, type Draft } from './draft/use-draft.ts';
import { restoreVersion } from './publish/take-version.ts';
import { words as versionWords } from './publish/words.ts';
import { words } from './words.ts';

const Drawing = lazy(async () => ({ default: (await import('./drawing/drawing.tsx')).Drawing }));
const Comparison = lazy(async () => ({ default: (await import('./compare/comparison.tsx')).Comparison }));
const JsonEditor = lazy(async () => ({ default: (await import('./json/json-editor.tsx')).JsonEditor }));

const tabs = ['drawing', 'compare', 'json'] as const;

/** One version of a flow, and what the draft or another version has otherwise. */
export const Page = () => {
  const { id = '', version = '' } = useParams();
  const flow = api.useQuery('get', '/flows/{id}', { params: { path: { id } } });
  const shown = api.useQuery('get', '/flows/{id}/versions/{version}', { params: { path: { id, version } } });
  const { draft } = useDraft(id, flow.data?.draft_revision);
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
  return <OneVersion flowId={id} version={shown.data} draft={draft} above={above} />;
};

type Props = {
  flowId: string;
  version: Schemas['FlowVersionDetail'];
  draft: Draft | undefined;
  above: { title: string; to: string }[];
};

const OneVersion = ({ flowId, version: shown, draft, above }: Props) => {
  const navigate = useNavigate();
  const mayEdit = mayAs('editor', useSignedIn());
  const { sayUser } = useUsers();
  const { filters, setFilters } = useFilters(['tab', 'with']);
  const { version, definition, created_at: publishedAt, is_current: isCurrent, published_by: by, note } = shown;
  const text = useMemo(() => showDefinition(definition), [definition]);
  const compared = useCompared({ flowId, shown, draft, other: filters.with });
  const restore = mayEdit && draft && (
    <Button
      variant="default"
      onClick={() => restoreVersion(draft, { flowId, version }, () => void navigate(`/flows/${flowId}?tab=json`))}
    >
      {words.draft.restore}
    </Button>
  );
  return (
    <Frame
      title={words.versionOf(version)}
      above={above}
      actions={restore}
      description={
        <>
          {by === null ? words.draft.publishedAt : versionWords.publishedBy(sayUser(by))} <Time at={publishedAt} />{' '}
          {isCurrent && <Status tone="good">{words.draft.current}</Status>}
        </>
      }
    >
      {note !== null && <Text style={{ overflowWrap: 'anywhere' }}>{note}</Text>}
      <Stack gap="xs" component="section" aria-label={words.draft.differences}>
        <Title order={2} size="h5">
          {words.draft.differences}
        </Title>
        <WithWhat
          flowId={flowId}
          version={version}
          other={filters.with}
          choose={(other) => setFilters({ with: other ?? null })}
        />
        {compared && <Differences {...compared} isWithDraft={filters.with === undefined} />}
      </Stack>
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
            <Drawing flowId={flowId} definition={definition} />
          </Tabs.Panel>
          <Tabs.Panel value="compare">{compared && <Comparison flowId={flowId} {...compared} />}</Tabs.Panel>
          <Tabs.Panel value="json">
            <JsonEditor label={words.draft.definition} value={text} />
          </Tabs.Panel>
        </Suspense>
      </Tabs>
    </Frame>
  );
};

type Compared = { before: AnyDefinition; after: AnyDefinition; headings: readonly [before: string, after: string] };

/** The older one of two definitions first: this version, and another one or the draft. */
const useCompared = ({
  flowId,
  shown,
  draft,
  other,
}: Pick<Props, 'flowId' | 'draft'> & { shown: Props['version']; other: string | undefined }): Compared | undefined => {
  const { data } = api.useQuery(
    'get',
    '/flows/{id}/versions/{version}',
    { params: { path: { id: flowId, version: other ?? '' } } },
    { enabled: other !== undefined },
  );
  const draftNow = draft?.definition;
  return useMemo(() => {
    const own = { definition: shown.definition, heading: words.versionOf(shown.version) };
    if (other === undefined) {
      const headings = [own.heading, versionWords.theDraft] as const;
      return draftNow && { before: own.definition, after: draftNow, headings };
    }
    if (!data) return undefined;
    const another = { definition: data.definition, heading: words.versionOf(data.version) };
    const [before, after] = data.version < shown.version ? [another, own] : [own, another];
    return {
      before: before.definition,
      after: after.definition,
      headings: [before.heading, after.heading],
    };
  }, [shown, draftNow, other, data]);
};

type WithWhatProps = {
  flowId: string;
  version: number;
  other: string | undefined;
  choose: (other: string | undefined) => void;
};

const draftValue = 'draft';

/** Chooses what a version is compared with. */
const WithWhat = ({ flowId, version, other, choose }: WithWhatProps) => {
  const { rows = [] } = useList('/flows/{id}/versions', { id: flowId, limit: 100 });
  const others = (rows ?? []).filter((one) => one.version !== version).map((one) => String(one.version));
  return (
    <Select
      label={versionWords.compareWith}
      w={260}
      allowDeselect={false}
      value={other ?? draftValue}
      data={[
        { value: draftValue, label: versionWords.theDraft },
        ...others.map((value) => ({ value, label: words.versionOf(value) })),
      ]}
      onChange={(value) => choose(value === draftValue ? undefined : (value ?? undefined))}
    />
  );
};

const Differences = ({ before, after, headings, isWithDraft }: Compared & { isWithDraft: boolean }) => {
  const differences = useMemo(() => differencesOf(before, after), [before, after]);
  if (differences.length === 0 && isWithDraft) return <Text size="sm">{words.draft.same}</Text>;
  return <DifferenceList label={words.draft.differences} differences={differences} headings={headings} />;
};
