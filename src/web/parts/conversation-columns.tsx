import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Schemas } from '../api/client.ts';
import { conversationWords } from '../words/conversations.ts';
import type { Column } from './data-table.tsx';
import { Status } from './status.tsx';
import { Time } from './time.tsx';

type Conversation = Schemas['Conversation'];

const tones = { bot: 'busy', handover: 'waiting', idle: 'good' } as const;

/** Whether it is open, and who talks with the contact. */
export const ConversationStatus = ({ conversation: { status, state } }: { conversation: Conversation }) =>
  status === 'closed' ? (
    <Status tone="off">{conversationWords.closed}</Status>
  ) : (
    <Status tone={tones[state]}>{conversationWords.states[state]}</Status>
  );

const sayLastMessage = (message: Conversation['last_message']): string =>
  message ? message.text || conversationWords.noText : conversationWords.noMessage;

/** What a list of conversations shows of each; whose it is comes beside it where it is of several contacts. */
export const conversationColumns = (sayUser: (id: string) => string): Column<Conversation>[] => [
  {
    heading: conversationWords.lastMessage,
    show: ({ id, last_message, unread }) => (
      <Group gap="xs" wrap="nowrap">
        <Anchor
          component={Link}
          to={`/conversations/${id}`}
          size="sm"
          lineClamp={2}
          aria-label={`${conversationWords.read}: ${sayLastMessage(last_message)}`}
        >
          {sayLastMessage(last_message)}
        </Anchor>
        {unread > 0 && (
          <Badge circle={unread < 10} miw="max-content" flex="none" aria-label={conversationWords.unread(unread)}>
            {unread}
          </Badge>
        )}
      </Group>
    ),
  },
  { heading: conversationWords.status, show: (conversation) => <ConversationStatus conversation={conversation} /> },
  {
    heading: conversationWords.assignedTo,
    show: ({ assigned_to }) =>
      assigned_to === null ? (
        <Text span size="sm" c="dimmed">
          {conversationWords.nobody}
        </Text>
      ) : (
        sayUser(assigned_to)
      ),
  },
  {
    heading: conversationWords.latest,
    show: ({ last_message, created_at }) => <Time at={last_message?.created_at ?? created_at} format="ago" />,
  },
];
