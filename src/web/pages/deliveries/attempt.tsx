import { Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import type { Schemas } from '../../api/client.ts';
import { mayAs } from '../../api/session.ts';
import { CodeLines } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { JsonText } from '../../parts/json-text.tsx';
import { sayHeaders } from '../../parts/say-headers.ts';
import { Status } from '../../parts/status.tsx';
import { Time } from '../../parts/time.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { useWebhooks } from '../../parts/use-webhooks.ts';
import { sayOutcome } from './say-attempt.ts';
import { words } from './words.ts';

type AttemptOf = Schemas['Attempt'];

type Props = { attempt: AttemptOf; webhookId: string };

/** One POST: what it came to in words, and on demand what was sent and answered. */
export const Attempt = ({ attempt, webhookId, isOpenAtFirst }: Props & { isOpenAtFirst: boolean }) => {
  const [isOpen, { toggle }] = useDisclosure(isOpenAtFirst);
  const details = useId();
  const { kind, number, outcome, started_at, duration_ms, address } = attempt;
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Text fw={600} size="sm">
          {words.kinds[kind](number)}
        </Text>
        <Status tone={outcome === 'succeeded' ? 'good' : 'bad'}>{words[outcome]}</Status>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {sayOutcome(attempt)}
      </Text>
      <Facts
        facts={[
          [words.began, <Time key="began" at={started_at} format="exact" />],
          [words.latency, words.ms(duration_ms)],
          [words.address, address],
        ]}
      />
      <Group>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={details}
          leftSection={isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
        >
          {words.details}
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={details}>
        {isOpen && <Evidence attempt={attempt} webhookId={webhookId} />}
      </Collapse>
    </Stack>
  );
};

const Evidence = ({
  attempt: { request_headers, response_headers, response_body, response_truncated },
  webhookId,
}: Props) => {
  const url = useWebhooks().list.find(({ id }) => id === webhookId)?.url;
  const mayRead = mayAs('editor', useSignedIn());
  if (!request_headers && !response_headers)
    return <Text size="sm">{mayRead ? words.noEvidence : words.noBodies}</Text>;
  return (
    <Stack gap="sm">
      {request_headers && url !== undefined && <Facts facts={[[words.request, words.requestTo(url)]]} />}
      {request_headers && (
        <Part title={words.requestHeaders}>
          <CodeLines value={sayHeaders(request_headers)} label={words.requestHeaders} />
        </Part>
      )}
      {response_headers && (
        <Part title={words.responseHeaders}>
          <CodeLines value={sayHeaders(response_headers)} label={words.responseHeaders} />
        </Part>
      )}
      {response_headers && (
        <Part title={words.responseBody}>
          {response_body ? (
            <JsonText value={response_body} label={words.responseBody} />
          ) : (
            <Text size="sm" c="dimmed">
              {words.emptyBody}
            </Text>
          )}
          {response_truncated && (
            <Text size="sm" c="dimmed">
              {words.truncated}
            </Text>
          )}
        </Part>
      )}
    </Stack>
  );
};

const Part = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <Stack gap={4}>
    <Text size="sm" fw={600}>
      {title}
    </Text>
    {children}
  </Stack>
);
