import { Alert, Code, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { CodeLines } from '../../parts/copy.tsx';
import { words } from './words.ts';

type Previewed = NonNullable<Schemas['RetryPreview']['requests']>[number];

/** What the first runs of a bulk retry would send. */
export const PreviewedRequests = ({ requests }: { requests: readonly Previewed[] | null }) => {
  if (requests === null)
    return (
      <Text size="sm" c="dimmed">
        {words.start.noRequests}
      </Text>
    );
  if (requests.length === 0) return null;
  return (
    <Stack gap="sm" component="section" aria-label={words.start.preview}>
      <div>
        <Text fw={600} size="sm">
          {words.start.preview}
        </Text>
        <Text size="xs" c="dimmed">
          {words.start.previewHint}
        </Text>
      </div>
      {requests.map((request) => (
        <OneRequest key={request.run_id} request={request} />
      ))}
    </Stack>
  );
};

const OneRequest = ({ request }: { request: Previewed }) => {
  const headers = Object.entries(request.request_headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <Stack gap={4} data-testid="previewed">
      <ContactLink id={request.contact_id} />
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {request.method} {request.url}
      </Code>
      {request.items !== null && request.items > 0 && <Text size="xs">{words.start.items(request.items)}</Text>}
      {request.credential !== null && <Text size="xs">{words.start.credential(request.credential)}</Text>}
      {request.problem !== null && (
        <Alert color="red" title={words.start.problem}>
          {request.problem}
        </Alert>
      )}
      {request.problem === null && (
        <details>
          <summary>{words.start.headers}</summary>
          <CodeLines value={headers.join('\n')} label={words.start.headers} maxHeight={160} />
        </details>
      )}
      {request.request_body !== null && (
        <CodeLines value={request.request_body} label={words.start.body} maxHeight={160} />
      )}
    </Stack>
  );
};
