import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import type { Schemas } from '../../../api/client.ts';
import { CodeLines } from '../../../parts/copy.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { sayHeaders } from '../../../parts/say-headers.ts';
import { sayRunReason } from '../../../parts/say-run-reason.ts';
import { runWords } from '../../../words/runs.ts';
import { MappedFields } from '../../runs/mapped-fields.tsx';
import { sayDuration } from '../../runs/say-duration.ts';
import { useBuilder } from '../builder/builder-context.ts';
import { getAt } from '../edits/at.ts';
import { sayPosition } from './say-position.ts';
import { words } from './words.ts';

type Props = { id: string; block: RawBlock; tested: Schemas['TestedRequest'] };

/** What a run would make of the answer; or why nothing was sent. */
export const TestResult = ({ id, block, tested }: Props) => {
  const { open } = useBuilder();
  const { problem, port, reason, retry_in_ms: retryInMs, duration_ms: durationMs } = tested;
  if (problem) {
    const template = getAt(block, problem.place);
    return (
      <Alert color="red" title={words.test.notSent} role="alert">
        <Stack gap={6} align="flex-start">
          <Text size="sm">
            {problem.position !== null && typeof template === 'string' && sayPosition(template, problem.position)}{' '}
            {problem.message}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => open(id, problem.place)}>
            {words.test.goTo(problem.place)}
          </Button>
        </Stack>
      </Alert>
    );
  }
  return (
    <Stack gap="sm" component="section" aria-label={words.test.result} role="status">
      <Facts
        facts={[
          [words.test.status, tested.status_code],
          [runWords.request.port, port && <Code key="port">{port}</Code>],
          [words.test.again, retryInMs === null ? null : sayDuration(retryInMs)],
          [words.test.took, durationMs === null ? null : sayDuration(durationMs)],
          [runWords.request.address, tested.address],
          [runWords.reason, reason && sayRunReason(reason)],
          [runWords.request.detail, tested.detail],
        ]}
      />
      <MappedFields fields={tested.fields} />
    </Stack>
  );
};

/** The request as it went out, but for secrets. */
export const SentBytes = ({ tested }: Pick<Props, 'tested'>) => {
  if (tested.problem) return null;
  const sent = [
    `${tested.method ?? ''} ${tested.url ?? ''}`,
    tested.request_headers ? sayHeaders(tested.request_headers) : '',
    ...(tested.request_body ? ['', tested.request_body] : []),
  ].join('\n');
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {words.test.sent}
      </Text>
      <CodeLines label={words.test.sent} value={sent} maxHeight={240} />
    </Stack>
  );
};
