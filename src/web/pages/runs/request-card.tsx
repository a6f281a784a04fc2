import { Code, Group, Paper, Stack, Text } from '@mantine/core';
import { sayRunReason } from '../../parts/say-run-reason.ts';
import { runWords } from '../../words/runs.ts';
import { RequestsOfStep, RequestStatus } from './requests-of-step.tsx';
import { sayDuration } from './say-duration.ts';
import type { Request } from './use-story.ts';
import { words } from './words.ts';

/** The host and path of a url; one that is none stays as it is. */
const sayTarget = (url: string): string => {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}` : url;
};

/** Shows an External Request of a step with its result and the fields that it mapped. Its attempts open below. */
export const RequestCard = ({ requests }: { requests: readonly Request[] }) => {
  const last = requests.at(-1);
  if (!last) return null;
  const facts = [
    last.duration_ms === null ? null : sayDuration(last.duration_ms),
    last.item_index === null ? null : words.items(new Set(requests.map(({ item_index: item }) => item)).size),
    requests.length > 1 ? words.attempts(requests.length) : null,
    last.reason === null ? null : sayRunReason(last.reason),
  ].filter((fact) => fact !== null);
  return (
    <Paper withBorder className="request-card">
      <Stack gap={6} p="sm">
        <Group gap="xs">
          <RequestStatus request={last} />
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            <b>{last.method}</b> {sayTarget(last.url)}
          </Text>
          {facts.length > 0 && (
            <Text span size="sm" c="dimmed">
              {facts.join(' · ')}
            </Text>
          )}
        </Group>
        {last.fields?.map((mapped) => (
          <Text key={`${mapped.path} ${mapped.field}`} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <Code>{mapped.field}</Code> {runWords.request.outcomes[mapped.outcome]}
            {mapped.outcome === 'set' && <> {JSON.stringify(mapped.value)}</>}
            {mapped.outcome === 'failed' && `: ${mapped.problem}`}
          </Text>
        ))}
      </Stack>
      <RequestsOfStep requests={requests} />
    </Paper>
  );
};
