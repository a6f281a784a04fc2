import { Badge, Group, Text } from '@mantine/core';
import type { Schemas } from '../api/client.ts';
import { conversationWords } from '../words/conversations.ts';
import { ContactName } from './contact-link.tsx';
import type { Column } from './column.ts';
import { Status } from './status.tsx';
import { UserName, type KnownUser } from './user-name.tsx';
import { Time } from './time.tsx';
import { To } from './to.tsx';
import { linkOfConversation } from './link-of-conversation.ts';

type Conversation = Schemas['Conversation'];

const tones = { bot: 'busy', waiting: 'waiting', agent: 'good' } as const;

/** Whether it is open, and who has it. */
export const ConversationStatus = ({ conversation: { status, owner } }: { conversation: Conversation }) =>
  status === 'closed' ? (
    <Status tone="off">{conversationWords.closed}</Status>
  ) : (
    <Status tone={tones[owner]}>{conversationWords.owners[owner]}</Status>
  );

const sayLastMessage = (message: Conversation['last_message']): string =>
  message ? message.text || conversationWords.noText : conversationWords.noMessage;

/** What a list of conversations shows of each; the first column says whose it is where it is of several contacts. */
export const conversationColumns = (
  findUser: (id: string) => KnownUser,
  { ofContacts }: { ofContacts: boolean },
): Column<Conversation>[] => [
  ...(ofContacts ? [whose] : []),
  {
    key: 'last_message',
    heading: conversationWords.lastMessage,
    card: 'line',
    show: (conversation) => <LastMessage conversation={conversation} isLink={!ofContacts} />,
  },
  {
    key: 'status',
    heading: conversationWords.status,
    // Open ones first.
    orders: { asc: 'opened' },
    card: 'end',
    show: (conversation) => <ConversationStatus conversation={conversation} />,
  },
  {
    key: 'assigned_to',
    heading: conversationWords.assignedTo,
    card: 'hidden',
    show: ({ assigned_to }) =>
      assigned_to === null ? (
        <Text span size="sm" c="dimmed">
          {conversationWords.nobody}
        </Text>
      ) : (
        <UserName user={findUser(assigned_to)} />
      ),
  },
  ...(ofContacts ? [waiting] : []),
  {
    key: 'latest',
    heading: conversationWords.latest,
    orders: { desc: 'latest_message' },
    card: 'aside',
    show: ({ last_message, created_at }) => <Time at={last_message?.created_at ?? created_at} />,
  },
];

const whose: Column<Conversation> = {
  heading: conversationWords.contact,
  width: 180,
  show: ({ id, contact_id: contactId }) => (
    <To to={linkOfConversation({ id })}>
      <ContactName id={contactId} />
    </To>
  ),
};

const waiting: Column<Conversation> = {
  key: 'waiting_since',
  heading: conversationWords.waitingSince,
  orders: { asc: 'waiting_longest' },
  card: 'hidden',
  show: ({ waiting_since: since }) => since !== null && <Time at={since} />,
};

const LastMessage = ({ conversation, isLink }: { conversation: Conversation; isLink: boolean }) => {
  const { unread, last_message: message } = conversation;
  const said = sayLastMessage(message);
  return (
    <Group gap="xs" wrap="nowrap">
      <Text span size="sm" lineClamp={1} fw={unread > 0 ? 550 : undefined} inherit={unread === 0}>
        {isLink ? (
          <To to={linkOfConversation(conversation)} aria-label={`${conversationWords.read}: ${said}`}>
            {said}
          </To>
        ) : (
          said
        )}
      </Text>
      {unread > 0 && (
        <Badge circle={unread < 10} miw="max-content" flex="none" aria-label={conversationWords.unread(unread)}>
          {unread}
        </Badge>
      )}
    </Group>
  );
};
