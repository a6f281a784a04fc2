import { Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { deliveryWords } from '../words/deliveries.ts';
import { messageWords } from '../words/messages.ts';
import { Status } from './status.tsx';
import { Time } from './time.tsx';

type Message = Schemas['Message'];

const tones = { queued: 'waiting', sent: 'good', failed: 'bad', unknown: 'bad', withdrawn: 'off' } as const;

const isKnown = (reason: string): reason is keyof typeof messageWords.reasons =>
  Object.hasOwn(messageWords.reasons, reason);

/** Why it is not sent, or why its last attempt failed. */
const sayReason = ({ reason, detail, status_code: code }: Message): string | null => {
  if (code !== null) return messageWords.answered(code);
  if (detail !== null) return deliveryWords.failure(deliveryWords.failures[detail]);
  return reason !== null && isKnown(reason) ? messageWords.reasons[reason] : reason;
};

/** What became of a message to a contact; nothing of one that came from it, and of one that is sent. */
export const MessageStatus = ({ message }: { message: Message }) => {
  const { status, attempts_made: attempts, next_attempt_at: next } = message;
  if (status === null || status === 'sent') return null;
  const why = [
    sayReason(message),
    attempts ? messageWords.attempts(attempts) : null,
    status === 'unknown' ? messageWords.mayHaveArrived : null,
  ].filter((part) => part !== null);
  return (
    <Group gap={6}>
      <Status tone={tones[status]}>{messageWords.statuses[status]}</Status>
      {why.length > 0 && (
        <Text span size="xs" c="dimmed">
          {why.join(' · ')}
        </Text>
      )}
      {next !== null && (
        <Text span size="xs" c="dimmed">
          {messageWords.next} <Time at={next} format="clock" />
        </Text>
      )}
    </Group>
  );
};
