import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { Schemas } from '../../../api/client.ts';
import { Status } from '../../../parts/status.tsx';
import { words } from '../words.ts';
import { sayPlace } from './say-place.ts';

export type Issue = Schemas['FlowIssue'];

/** The most that are shown: who has more begins with these. */
const mostShown = 100;

type Props = { issues: readonly Issue[]; goTo: (issue: Issue) => void };

/** Everything that is wrong with a draft, errors first. Each leads to its place. */
export const IssueList = ({ issues, goTo }: Props) => {
  const errors = issues.filter(({ severity }) => severity === 'error').length;
  const warnings = issues.length - errors;
  return (
    <Stack gap="xs" component="section" aria-label={words.draft.issues}>
      <Group gap="xs" justify="space-between">
        <Title order={2} size="h5">
          {words.draft.issues}
        </Title>
        <Group gap={6} role="status">
          {errors > 0 && <Status tone="bad">{words.draft.errors(errors)}</Status>}
          {warnings > 0 && <Status tone="waiting">{words.draft.warnings(warnings)}</Status>}
        </Group>
      </Group>
      <Text size="sm" c="dimmed">
        {issues.length === 0 ? words.draft.noIssues : words.draft.issuesHint}
      </Text>
      <Stack gap={6} mah="58vh" style={{ overflowY: 'auto' }} {...(issues.length > 0 && { tabIndex: 0 })}>
        {issues.slice(0, mostShown).map((issue) => (
          <Paper
            key={`${issue.code} ${issue.path} ${issue.message}`}
            component="button"
            type="button"
            className="issue"
            withBorder
            p="xs"
            onClick={() => goTo(issue)}
          >
            <Group gap={6} mb={2}>
              <Status tone={issue.severity === 'error' ? 'bad' : 'waiting'}>
                {words.draft.severities[issue.severity]}
              </Status>
              <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {sayPlace(issue)}
              </Text>
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {issue.message}
            </Text>
            {issue.hint !== null && (
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {issue.hint}
              </Text>
            )}
          </Paper>
        ))}
      </Stack>
    </Stack>
  );
};
