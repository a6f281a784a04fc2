import { Anchor, Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useMemo, useRef, type RefObject } from 'react';
import { SaveState } from '../draft/save-state.tsx';
import type { Draft } from '../draft/use-draft.ts';
import { words } from '../words.ts';
import { completeFlow } from './complete/source.ts';
import { IssueList, type Issue } from './issue-list.tsx';
import { JsonEditor, type EditorHandle } from './json-editor.tsx';
import { createPlaces, findBreak } from './places.ts';

type Props = {
  draft: Draft;
  mayEdit: boolean;
  /** Keeps what can be undone in a text that is no JSON while another tab is open. */
  kept: RefObject<unknown>;
};

/** The draft as JSON. */
export const JsonTab = ({ draft, mayEdit, kept }: Props) => {
  const editor = useRef<EditorHandle>(null);
  const { problem, saving, isKept, issues: stored } = draft;
  const text = draft.text();
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
  const save = (): void => void draft.save();

  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          {mayEdit ? (
            <>
              <Button onClick={save}>{words.draft.save}</Button>
              <Button variant="default" disabled={problem !== undefined} onClick={draft.format}>
                {words.draft.format}
              </Button>
              <SaveState saving={saving} isKept={isKept} />
            </>
          ) : (
            <Text size="sm" c="dimmed" role="status">
              {words.draft.readOnly}
            </Text>
          )}
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
            onSave={() => mayEdit && save()}
            {...(mayEdit && { onChange: draft.setText, onTurn: draft.turnText, complete: completeFlow })}
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
