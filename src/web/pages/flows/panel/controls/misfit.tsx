import { Button, Code, Group, Text } from '@mantine/core';
import { getAt } from '../../edits/at.ts';
import { useOpenBlock } from '../open-block.ts';
import { FieldProblems, useProblems } from '../problems/field-problems.tsx';
import { words } from './words.ts';

/** The most characters of a value that are shown. */
const shownCharacters = 200;

/** Stands in the place of a control that cannot show the value at its path: the value stays, and can be edited as JSON. */
export const Misfit = ({ path, label }: { path: string; label: string }) => {
  const { block, showJson } = useOpenBlock();
  const problems = useProblems(path);
  const json = JSON.stringify(getAt(block, path)) ?? '';
  return (
    <div data-field={path} role="group" aria-label={label}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Code block>{json.length > shownCharacters ? `${json.slice(0, shownCharacters)}…` : json}</Code>
      <Group gap="xs" mt={4} justify="space-between">
        <Text size="xs" c="dimmed">
          {words.misfit}
        </Text>
        <Button size="compact-sm" variant="default" onClick={showJson}>
          {words.editJson}
        </Button>
      </Group>
      <FieldProblems id={`${path}-problems`} problems={problems} />
    </div>
  );
};
