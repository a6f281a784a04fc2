import { Stack, Text } from '@mantine/core';
import type { Issue } from '../json/issue-list.tsx';

/** The most that stand at one field: who has more begins with these. */
const mostShown = 5;

/** What is wrong at a path. */
export const issuesAt = (issues: readonly Issue[], path: string): Issue[] =>
  issues.filter((issue) => issue.path === path);

/** The first error at a path, as its field tells it. */
export const errorAt = (issues: readonly Issue[], path: string): string | undefined =>
  issues.find((issue) => issue.path === path && issue.severity === 'error')?.message;

type Props = {
  issues: readonly Issue[];
  told?: string | undefined;
  /** Whether each says where it is: no field stands beside it. */
  areNamed?: boolean;
};

/** What is wrong, below its field. What the field itself tells is left out. */
export const IssueNotes = ({ issues, told, areNamed = false }: Props) => {
  const shown = issues.filter(({ message, hint }) => message !== told || hint !== null).slice(0, mostShown);
  if (shown.length === 0) return null;
  return (
    <Stack gap={2} role="status">
      {shown.map(({ severity, code, path, message, hint }) => (
        <Text key={`${code} ${path} ${message}`} size="xs" className="request-issue" data-severity={severity}>
          {areNamed && path !== '' && `${path}: `}
          {message !== told && `${message}. `}
          {hint}
        </Text>
      ))}
    </Stack>
  );
};
