import { Group, Text } from '@mantine/core';
import { t as say } from 'i18next';
import { useTranslation } from 'react-i18next';
import { exchangeFailures } from '../../shared/platform/egress/exchange-failures.ts';
import type { Schemas } from '../api/client.ts';
import { Status } from './status.tsx';
import { Time } from './time.tsx';

type Message = Schemas['Message'];

const tones = { queued: 'waiting', sent: 'good', failed: 'bad', unknown: 'bad' } as const;

const reasons = [...exchangeFailures, 'unsubscribed', 'blocked'] as const;

/** Why it is not sent, or why its last attempt failed. */
const sayReason = ({ reason, detail, status_code: code }: Message): string | null => {
  if (code !== null) return say('messages:answered', { code });
  if (detail !== null) return say('deliveries:failure', { what: say(`deliveries:failures.${detail}`) });
  const known = reasons.find((one) => one === reason);
  return known ? say(`messages:reasons.${known}`) : reason;
};

/** What became of a message to a contact; nothing of one that came from it, and of one that is sent. */
export const MessageStatus = ({ message }: { message: Message }) => {
  const { t } = useTranslation('messages');
  const { status, attempts_made: attempts, next_attempt_at: next } = message;
  if (status === null || status === 'sent') return null;
  const why = [
    sayReason(message),
    attempts ? t('attempts', { count: attempts }) : null,
    status === 'unknown' ? t('mayHaveArrived') : null,
  ].filter((part) => part !== null);
  return (
    <Group gap={6}>
      <Status tone={tones[status]}>{t(`statuses.${status}`)}</Status>
      {why.length > 0 && (
        <Text span size="xs" c="dimmed">
          {why.join(' · ')}
        </Text>
      )}
      {next !== null && (
        <Text span size="xs" c="dimmed">
          {t('next')} <Time at={next} format="near" />
        </Text>
      )}
    </Group>
  );
};
