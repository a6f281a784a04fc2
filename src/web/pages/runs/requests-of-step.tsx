import { Accordion, Code, Group, Stack, Text } from '@mantine/core';
import { mayAs } from '../../api/session.ts';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { sayRunReason } from '../../parts/say-run-reason.ts';
import { Status, type Tone } from '../../parts/status.tsx';
import { sayTime, Time } from '../../parts/time.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { runWords } from '../../words/runs.ts';
import { MappedFields } from './mapped-fields.tsx';
import { Exchange } from './exchange.tsx';
import type { Request } from './use-story.ts';

/** A success is good, by its port or by its status; everything else that is over is not. */
const toneOf = ({ state, status_code: code, reason, port }: Request): Tone => {
  if (state === 'sending') return 'busy';
  const isGood = state === 'answered' && code !== null && code < 300 && reason === null;
  return isGood || port === 'success' ? 'good' : 'bad';
};

const sayAttempt = ({ item_index: item, try: number }: Request): string =>
  item === null ? runWords.request.attempt(number) : runWords.request.attemptOf(item, number);

/** What an attempt was answered, or its state. */
export const RequestStatus = ({ request }: { request: Request }) => (
  <Status tone={toneOf(request)}>{String(request.status_code ?? runWords.request.states[request.state])}</Status>
);

/** Shows the attempts of one step, each with its request and its result. */
export const RequestsOfStep = ({ requests }: { requests: readonly Request[] }) => (
  <Accordion>
    {requests.map((request) => (
      <Accordion.Item key={request.id} value={request.id}>
        <Accordion.Control>
          <Group gap="xs">
            <Text size="sm">{sayAttempt(request)}</Text>
            <RequestStatus request={request} />
            <Text size="sm" c="dimmed">
              {sayTime(request.sent_at)}
            </Text>
          </Group>
        </Accordion.Control>
        <Accordion.Panel>
          <OneRequest request={request} />
        </Accordion.Panel>
      </Accordion.Item>
    ))}
  </Accordion>
);

const OneRequest = ({ request }: { request: Request }) => {
  const maySeeBodies = mayAs('editor', useSignedIn());
  return (
    <Stack gap="sm">
      <Facts
        stacks
        facts={[
          [runWords.request.url, request.url],
          [runWords.request.item, request.item_index?.toString()],
          [runWords.request.outcome, runWords.request.states[request.state]],
          [runWords.request.sent, <Time key="sent" at={request.sent_at} format="exact" />],
          [runWords.request.address, request.address],
          [runWords.reason, request.reason && sayRunReason(request.reason)],
          [runWords.request.detail, request.detail],
          [runWords.request.port, request.port && <Code key="port">{request.port}</Code>],
          [runWords.request.key, <Copyable key="key" value={request.idempotency_key} label={runWords.request.key} />],
        ]}
      />
      <MappedFields fields={request.fields ?? []} />
      <Exchange exchange={request} />
      {!maySeeBodies && (
        <Text size="sm" c="dimmed">
          {runWords.request.noBodies}
        </Text>
      )}
    </Stack>
  );
};
