import { Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
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

type AttemptOf = Schemas['Attempt'];

type Props = { attempt: AttemptOf; webhookId: string };

/** One POST: what it came to in words, and on demand what was sent and answered. */
export const Attempt = ({ attempt, webhookId, isOpenAtFirst }: Props & { isOpenAtFirst: boolean }) => {
  const { t } = useTranslation('deliveries');
  const [isOpen, { toggle }] = useDisclosure(isOpenAtFirst);
  const details = useId();
  const { kind, number, outcome, started_at, duration_ms, address } = attempt;
  return (
    <Stack gap={6}>
      <Group gap="xs">
        <Text fw={600} size="sm">
          {t(`kinds.${kind}`, { number })}
        </Text>
        <Status tone={outcome === 'succeeded' ? 'good' : 'bad'}>{t(outcome)}</Status>
      </Group>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {sayOutcome(attempt)}
      </Text>
      <Facts
        facts={[
          [t('began'), <Time key="began" at={started_at} />],
          [t('latency'), t('ms', { ms: duration_ms })],
          [t('address'), address],
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
          {t('details')}
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
  const { t } = useTranslation('deliveries');
  const url = useWebhooks().list.find(({ id }) => id === webhookId)?.url;
  const mayRead = mayAs('editor', useSignedIn());
  if (!request_headers && !response_headers) return <Text size="sm">{mayRead ? t('noEvidence') : t('noBodies')}</Text>;
  return (
    <Stack gap="sm">
      {request_headers && url !== undefined && <Facts facts={[[t('request'), t('requestTo', { url })]]} />}
      {request_headers && (
        <Part title={t('requestHeaders')}>
          <CodeLines value={sayHeaders(request_headers)} label={t('requestHeaders')} />
        </Part>
      )}
      {response_headers && (
        <Part title={t('responseHeaders')}>
          <CodeLines value={sayHeaders(response_headers)} label={t('responseHeaders')} />
        </Part>
      )}
      {response_headers && (
        <Part title={t('responseBody')}>
          {response_body ? (
            <JsonText value={response_body} label={t('responseBody')} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('emptyBody')}
            </Text>
          )}
          {response_truncated && (
            <Text size="sm" c="dimmed">
              {t('truncated')}
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
