import { Button, Group, List, Modal, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { api, client, type Schemas } from '../../../api/client.ts';
import { ApiFailure } from '../../../api/failure.ts';
import { invalidate } from '../../../api/query-client.ts';
import { keepWarnings, type Warning } from '../../../api/warnings.ts';
import { showFailure } from '../../../parts/failure.tsx';
import { sayCapped } from '../../../parts/say-capped.ts';
import { showDone } from '../../../parts/show-done.tsx';
import { Time } from '../../../parts/time.tsx';
import { useFocusBack } from '../../../parts/use-focus-back.ts';
import { useUsers } from '../../../parts/use-users.ts';
import { commonWords } from '../../../words/common.ts';
import { DifferenceList } from '../compare/difference-list.tsx';
import { differencesOf } from '../compare/differences.ts';
import { diff } from '../draft/parts.ts';
import type { Draft } from '../draft/use-draft.ts';
import { sayPlace } from '../json/say-place.ts';
import { words as flowWords } from '../words.ts';
import { words } from './words.ts';

type Flow = Schemas['Flow'];

type Props = {
  flow: Flow;
  draft: Draft;
  close: () => void;
  /** Told when the draft has errors. */
  onRefused: (errors: number) => void;
};

/** The most problems and blocks that are named. */
const mostNamed = 8;

/** Says what publishing changes, for whom, and what is wrong. What it shows is what it publishes. */
export const PublishDialog = ({ flow, draft, close, onRefused }: Props) => {
  useFocusBack();
  const [note, setNote] = useState('');
  const [isSending, setSending] = useState(false);
  const errors = draft.issues.filter(({ severity }) => severity === 'error').length;
  const warnings = draft.issues.length - errors;

  const publish = async (): Promise<void> => {
    setSending(true);
    try {
      const published = await publishShown(flow.id, draft, note);
      if (published) close();
    } catch (error) {
      close();
      if (error instanceof ApiFailure && error.status === 422)
        onRefused(error.details.filter((one) => !('severity' in one) || one.severity !== 'warning').length);
      else showFailure(error);
    } finally {
      setSending(false);
    }
  };

  return (
    <Modal opened onClose={close} title={flowWords.publishTitle(flow.name)} size="xl">
      <Stack gap="md">
        <Text size="sm">{errors > 0 ? flowWords.publishErrors(errors) : flowWords.publishText}</Text>
        {warnings > 0 && <Text size="sm">{flowWords.publishWarns(warnings)}</Text>}
        <Changes flow={flow} draft={draft} />
        <Part title={words.problems}>
          {draft.issues.length === 0 ? (
            <Text size="sm">{words.noProblems}</Text>
          ) : (
            <List size="sm">
              {draft.issues.slice(0, mostNamed).map((issue) => (
                <List.Item key={`${issue.code} ${issue.path} ${issue.message}`} style={{ overflowWrap: 'anywhere' }}>
                  {[flowWords.draft.severities[issue.severity], sayPlace(issue), issue.message]
                    .filter(Boolean)
                    .join(': ')}
                </List.Item>
              ))}
            </List>
          )}
        </Part>
        {flow.version !== null && <Waiting flowId={flow.id} />}
        <Textarea
          label={words.note}
          description={words.noteHint}
          maxLength={500}
          autosize
          minRows={2}
          maxRows={6}
          value={note}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {commonWords.cancel}
          </Button>
          <Button loading={isSending} onClick={() => void publish()}>
            {flowWords.publish}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <Stack gap={4} role="group" aria-label={title}>
    <Title order={3} size="h6">
      {title}
    </Title>
    {children}
  </Stack>
);

/** What the draft has otherwise than the live version, and who published that. */
const Changes = ({ flow, draft }: Pick<Props, 'flow' | 'draft'>) => {
  const { id, version } = flow;
  const { sayUser } = useUsers();
  const { data: live } = api.useQuery(
    'get',
    '/flows/{id}/versions/{version}',
    { params: { path: { id, version: String(version) } } },
    { enabled: version !== null },
  );
  const differences = useMemo(
    () => (live ? differencesOf(live.definition, draft.definition) : undefined),
    [live, draft.definition],
  );
  if (version === null) return <Text size="sm">{words.first}</Text>;
  if (!live || !differences) return null;
  return (
    <Part title={words.since(version)}>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {live.published_by === null ? flowWords.draft.publishedAt : words.publishedBy(sayUser(live.published_by))}{' '}
        <Time at={live.created_at} />
        {live.note !== null && `: ${live.note}`}
      </Text>
      <DifferenceList label={words.changes} differences={differences} headings={[words.live, words.draft]} />
    </Part>
  );
};

/** Runs are counted up to this many; it means that many or more. */
const cap = 10_001;

/** Where contacts are in the flow now. */
const Waiting = ({ flowId }: { flowId: string }) => {
  const { data } = api.useQuery('get', '/flows/{id}/counts', { params: { path: { id: flowId } } });
  if (!data) return null;
  const said = data.blocks
    .filter(({ running, waiting }) => running + waiting > 0)
    .map(({ block_id: block, running, waiting }) =>
      words.at(sayCapped(running + waiting, cap), block ?? words.notBegun),
    );
  const rest = said.length - mostNamed;
  return (
    <Part title={words.waiting}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {said.length === 0
          ? words.nobody
          : [...said.slice(0, mostNamed), ...(rest > 0 ? [words.more(rest)] : [])].join(', ')}
      </Text>
    </Part>
  );
};

/** An issue whose place is said by its block, and within that. */
const sayWhere = (issue: Schemas['FlowIssue']): Warning => ({
  ...issue,
  path: issue.block_id === null ? issue.path : issue.path.replace(/^blocks\.\d+\.?/, ''),
});

/** Publishes what was shown, or nothing: neither what was changed here since, nor what somebody else has stored. */
const publishShown = async (id: string, shown: Draft, note: string): Promise<boolean> => {
  const { saving, base } = await shown.save();
  const isShown = diff(shown.definition, base.definition).length === 0;
  if (saving.is !== 'saved' || !isShown) {
    showDone({ message: saving.is === 'saved' ? words.changedMeanwhile : words.notSaved, how: 'not' });
    return false;
  }
  const { data } = await client.POST('/flows/{id}/publish', {
    params: { path: { id }, header: { 'If-Match': `"${base.revision}"` } },
    body: note.trim() === '' ? {} : { note: note.trim() },
  });
  keepWarnings(id, data?.issues.map(sayWhere));
  await invalidate('/flows', '/triggers');
  if (data?.version)
    showDone({
      message: data.status === 'paused' ? flowWords.publishedPaused(data.version) : flowWords.published(data.version),
    });
  return true;
};
