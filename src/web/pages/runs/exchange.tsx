import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client.ts';
import { CodeLines } from '../../parts/copy.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { sayHeaders } from '../../parts/say-headers.ts';
import { runWords } from '../../words/runs.ts';

type Sent = Pick<
  Schemas['TestedRequest'],
  | 'method'
  | 'url'
  | 'status_code'
  | 'request_headers'
  | 'request_body'
  | 'response_headers'
  | 'response_body'
  | 'response_truncated'
>;

/** What was sent to another service, and what it answered, as it was but for secrets. */
export const Exchange = ({ exchange }: { exchange: Sent }) => {
  const { method, url, request_headers: asked, request_body: body, response_headers: answered } = exchange;
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      <Stack gap="xs" miw={0}>
        <CodeLines
          label={runWords.request.requestHeaders}
          value={[`${method ?? ''} ${url ?? ''}`, asked ? sayHeaders(asked) : ''].join('\n').trim()}
        />
        {body && <JsonText label={runWords.request.requestBody} value={body} />}
      </Stack>
      <Stack gap="xs" miw={0}>
        {answered && (
          <CodeLines
            label={runWords.request.responseHeaders}
            value={[String(exchange.status_code ?? ''), sayHeaders(answered)].join('\n').trim()}
          />
        )}
        {exchange.response_body && <JsonText label={runWords.request.responseBody} value={exchange.response_body} />}
        {exchange.response_truncated && (
          <Text size="sm" c="dimmed">
            {runWords.request.truncated}
          </Text>
        )}
      </Stack>
    </SimpleGrid>
  );
};
