import { Anchor, Group, Pill, Stack, Text } from '@mantine/core';
import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import type { Schemas } from '../../api/client.ts';
import { MessageStatus } from '../../parts/message-status.tsx';
import { OutLink } from '../../parts/out-link.tsx';
import { Time } from '../../parts/time.tsx';
import { Routed } from './routed.tsx';
import { words } from './words.ts';

type Props = {
  message: Schemas['Message'];
  /** What the contact is called. */
  name: string;
};

/** A message: from whom or to whom in words, what it says, and what became of it. */
export const Message = ({ message, name }: Props) => {
  const { direction, text, image_url: imageUrl, quick_replies: quickReplies, run_id: runId } = message;
  const isInbound = direction === 'inbound';
  const Arrow = isInbound ? IconArrowDownLeft : IconArrowUpRight;
  return (
    <li className="message" data-direction={direction}>
      <Stack gap={4}>
        <Group gap={6}>
          <Arrow size={14} aria-hidden />
          <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {isInbound ? name : words.to(name)}
          </Text>
          {runId !== null && (
            <Anchor component={Link} to={`/runs/${runId}`} size="xs">
              {words.byFlow}
            </Anchor>
          )}
          <Text span size="xs" c="dimmed">
            <Time at={message.created_at} format="clock" />
          </Text>
        </Group>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
        {imageUrl !== null && <OutLink href={imageUrl}>{words.image}</OutLink>}
        {quickReplies.length > 0 && (
          <Pill.Group role="group" aria-label={words.quickReplies}>
            {[...new Set(quickReplies)].map((reply) => (
              <Pill key={reply}>{reply}</Pill>
            ))}
          </Pill.Group>
        )}
        <MessageStatus message={message} />
        <Routed to={message.routed_to} />
      </Stack>
    </li>
  );
};
