import { Accordion, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { confirm } from '../../parts/confirm.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { RequestDetails } from './request-details.tsx';
import { useTestRequests } from './use-test-endpoint.ts';
import { VerificationStatus } from './verification.tsx';
import { words } from './words.ts';

type Summary = Schemas['TestRequestSummary'];

/** What came, as it comes. A request opens to its headers and body. */
export const Requests = () => {
  const { data, error, refetch } = useTestRequests();
  const [opened, setOpened] = useState<string | null>(null);
  const clear = (): void =>
    confirm({
      title: words.clearTitle,
      children: words.clearText,
      action: words.clear,
      isDangerous: true,
      onConfirm: async () => {
        await client.DELETE('/test-endpoint/requests');
        await invalidate('/test-endpoint');
      },
    });
  const rows = data?.data;
  return (
    <Section
      title={words.requests}
      description={words.requestsHint}
      actions={
        rows &&
        rows.length > 0 && (
          <Button variant="default" size="xs" onClick={clear}>
            {words.clear}
          </Button>
        )
      }
    >
      {error ? <Failure error={error} retry={() => void refetch()} /> : null}
      {!rows && !error && <Waiting />}
      {rows?.length === 0 && <Empty title={words.empty}>{words.emptyHint}</Empty>}
      {rows && rows.length > 0 && (
        <Accordion value={opened} onChange={setOpened} order={3} chevronPosition="left">
          {rows.map((request) => (
            <Accordion.Item key={request.id} value={request.id}>
              <Accordion.Control>
                <RequestLine request={request} />
              </Accordion.Control>
              <Accordion.Panel>{opened === request.id && <RequestDetails id={request.id} />}</Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
      {data && data.not_kept > 0 && (
        <Text size="sm" c="dimmed">
          {words.notKept(data.not_kept)}
        </Text>
      )}
    </Section>
  );
};

/** What a request is, in the words of who sent it. */
const nameRequest = ({ kind, event, method, path }: Summary): string =>
  kind === 'challenge' ? words.challenge : (event ?? `${method} ${path || '/'}`);

const RequestLine = ({ request }: { request: Summary }) => (
  <Group justify="space-between" gap="xs">
    <Text fw={500} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {nameRequest(request)}
    </Text>
    <Group gap="sm">
      <Text size="sm" c="dimmed">
        {words.answered(request.answered_status)}
      </Text>
      <VerificationStatus result={request.verification.result} />
      <Text size="sm" c="dimmed" component="div">
        <Time at={request.received_at} />
      </Text>
    </Group>
  </Group>
);
