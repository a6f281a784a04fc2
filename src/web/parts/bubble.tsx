import { Group, Pill, Stack, Text } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Schemas } from '../api/client.ts';
import { messageWords } from '../words/messages.ts';
import { Attachments } from './attachments.tsx';
import { MessageStatus } from './message-status.tsx';
import { OutLink } from './out-link.tsx';
import { Time } from './time.tsx';

type Props = {
  message: Schemas['Message'];
  /** What the contact is called. */
  name: string;
  /** Stands beside the name. */
  beside?: ReactNode;
  /** Stands below what is said. */
  children?: ReactNode;
};

/** A message: from whom or to whom in words, what it says, and what became of it. It stands in an element of the class `message`. */
export const Bubble = ({ message, name, beside, children }: Props) => {
  const { direction, text, image_url: imageUrl, quick_replies: quickReplies, attachments, created_at: at } = message;
  const isInbound = direction === 'inbound';
  const Arrow = isInbound ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <Stack gap={4}>
      <Group gap={6}>
        <Arrow size={14} aria-hidden />
        <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {isInbound ? name : messageWords.to(name)}
        </Text>
        {beside}
        <Text span size="xs" c="dimmed">
          <Time at={at} format="clock" />
        </Text>
      </Group>
      {text !== '' && (
        <Text size="sm" dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      )}
      {imageUrl !== null && <OutLink href={imageUrl}>{messageWords.image}</OutLink>}
      {quickReplies.length > 0 && (
        <Pill.Group role="group" aria-label={messageWords.quickReplies}>
          {[...new Set(quickReplies)].map((reply) => (
            <Pill key={reply}>{reply}</Pill>
          ))}
        </Pill.Group>
      )}
      <Attachments attachments={attachments} />
      <MessageStatus message={message} />
      {children}
    </Stack>
  );
};
