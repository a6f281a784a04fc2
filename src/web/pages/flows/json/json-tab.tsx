import { Alert, Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useMemo, useRef, useState, type RefObject } from 'react';
import { ApiFailure } from '../../../api/failure.ts';
import { showFailure } from '../../../parts/failure.tsx';
import { showDone } from '../../../parts/show-done.tsx';
import type { Draft } from '../draft/use-draft.ts';
import { words } from '../words.ts';
import { completeFlow } from './complete/source.ts';
import { IssueList, type Issue } from './issue-list.tsx';
import { JsonEditor, type EditorHandle } from './json-editor.tsx';
import { createPlaces, findBreak } from './places.ts';
import { useIssues } from './use-issues.ts';

type Props = {
  id: string;
  draft: Draft;
  mayEdit: boolean;
  /** Keeps what can be undone while another tab is open. */
  kept: RefObject<unknown>;
};

/** The draft as JSON: written, checked while it is, and saved over nobody else's. */
export const JsonTab = ({ id, draft, mayEdit, kept }: Props) => {
  const editor = useRef<EditorHandle>(null);
  const [isSaving, setSaving] = useState(false);
  const { setText, problem, isChanged, isConflicting } = draft;
  const text = draft.text();
  const stored = useIssues(id, draft);
  const issues = useMemo(
    () => (problem === undefined ? stored : [noJson(words.draft.noJson, problem)]),
    [stored, problem],
  );
  const diagnostics = useMemo(() => {
    const placeOf = problem === undefined ? createPlaces(text) : () => findBreak(text);
    return issues.map((issue) => ({
      ...placeOf(issue.path),
      severity: issue.severity,
      message: [issue.message, issue.hint].filter(Boolean).join(' '),
      issue,
    }));
  }, [issues, text, problem]);

  const goTo = (issue: Issue): void => {
    const found = diagnostics.find((diagnostic) => diagnostic.issue === issue);
    if (found) editor.current?.goTo(found);
  };
  const save = (over?: number): void => {
    setSaving(true);
    draft
      .save(over)
      .then(() => showDone({ message: words.draft.saved }))
      .catch((error: unknown) => {
        // The alert above the editor tells of it.
        if (!(error instanceof ApiFailure && error.status === 412)) showFailure(error);
      })
      .finally(() => setSaving(false));
  };

  return (
    <Stack gap="sm">
      {isConflicting && (
        <Alert color="orange" title={words.draft.conflict} role="alert">
          <Text size="sm">{words.draft.conflictHint}</Text>
          <Group mt="sm" gap="xs">
            <Button size="xs" variant="default" onClick={draft.takeTheirs}>
              {words.draft.takeTheirs}
            </Button>
            <Button size="xs" variant="default" onClick={() => save(draft.stored.revision)}>
              {words.draft.keepMine}
            </Button>
          </Group>
        </Alert>
      )}
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          {mayEdit && (
            <>
              <Button onClick={() => save()} loading={isSaving} disabled={!isChanged || problem !== undefined}>
                {words.draft.save}
              </Button>
              <Button variant="default" disabled={problem !== undefined} onClick={draft.format}>
                {words.draft.format}
              </Button>
            </>
          )}
          <Text size="sm" c="dimmed" role="status">
            {mayEdit ? (isChanged ? words.draft.unsaved : words.draft.saved) : words.draft.readOnly}
          </Text>
        </Group>
        <Group gap="md">
          <Anchor size="sm" href="/schemas/flow.json" target="_blank" rel="noreferrer">
            {words.draft.schema}
          </Anchor>
        </Group>
      </Group>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <JsonEditor
            ref={editor}
            label={words.draft.editor}
            value={text}
            diagnostics={diagnostics}
            kept={kept}
            onSave={() => mayEdit && isChanged && problem === undefined && !isSaving && save()}
            {...(mayEdit && { onChange: setText, complete: completeFlow })}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <IssueList issues={issues} goTo={goTo} />
        </Grid.Col>
      </Grid>
    </Stack>
  );
};

const noJson = (title: string, problem: string): Issue => ({
  severity: 'error',
  code: 'no_json',
  block_id: null,
  path: '',
  message: `${title}: ${problem}`,
  hint: null,
});
