import { ActionIcon, Anchor, Title } from '@mantine/core';
import { IconChevronLeft, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import type { Schemas } from '../../api/client.ts';
import type { Present } from '../../live/presence.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { PresentUsers } from '../../parts/present-users.tsx';
import { Status } from '../../parts/status.tsx';
import { useUsers } from '../../parts/use-users.ts';
import { conversationWords } from '../../words/conversations.ts';
import { words } from './words.ts';

/** The way back to the list, where a narrow screen shows the conversation alone, or there is none to show. */
export const BackToList = ({ isAlways = false }: { isAlways?: boolean }) => {
  const { search } = useLocation();
  return (
    <div className="above inbox-back" data-is-always={isAlways || undefined}>
      <Anchor component={Link} to={`/inbox${search}`} aria-label={words.back}>
        <IconChevronLeft size={20} aria-hidden />
      </Anchor>
    </div>
  );
};

/** The details of the contact, which narrow screens show when they are asked for. */
export const contextId = 'inbox-context';

const tones = { bot: 'busy', waiting: 'waiting', agent: 'good' } as const;

/** Who has the conversation: the bot, nobody yet, or an agent by name. */
const Owner = ({
  conversation: { status, owner, assigned_to: assignee },
}: {
  conversation: Schemas['Conversation'];
}) => {
  const { sayUser } = useUsers();
  if (status === 'closed') return <Status tone="off">{words.owners.closed}</Status>;
  const said =
    owner === 'agent'
      ? words.owners.agent(assignee === null ? '…' : sayUser(assignee))
      : conversationWords.owners[owner];
  return <Status tone={tones[owner]}>{said}</Status>;
};

type Props = {
  conversation: Schemas['Conversation'];
  title: string;
  name: string;
  others: readonly Present[];
  isContextOpen: boolean;
  toggleContext: () => void;
  actions: ReactNode;
};

const sayPart = (part: string): string => (part === 'note' ? words.composer.typing.note : words.composer.typing.reply);

/** What stands above a thread: with whom it is, who has it, who else looks or types, and what can be done. */
export const Head = ({ conversation, title, name, others, isContextOpen, toggleContext, actions }: Props) => (
  <header className="inbox-head">
    <BackToList />
    <Avatar id={conversation.contact_id} name={name} size={32} />
    <div className="inbox-whom">
      <Title order={1} size="h4" className="inbox-title">
        {title}
      </Title>
      <span className="inbox-line">
        <Owner conversation={conversation} />
        <PresentUsers others={others} sayPart={sayPart} />
      </span>
    </div>
    <div className="inbox-actions">
      {actions}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={30}
        className="inbox-show-context"
        aria-label={words.details}
        aria-expanded={isContextOpen}
        aria-controls={contextId}
        onClick={toggleContext}
      >
        <IconLayoutSidebarRightExpand size={18} aria-hidden />
      </ActionIcon>
    </div>
  </header>
);
