import { Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Schemas } from '../../../api/client.ts';
import { ContactStatusItems } from '../../../parts/contact-status-items.tsx';
import { useNow } from '../../../parts/use-now.ts';
import { useUsers } from '../../../parts/use-users.ts';
import { useSignedIn } from '../../../shell/session-context.ts';
import { conversationWords } from '../../../words/conversations.ts';
import { words as all } from '../words.ts';
import { HandOverForm } from './hand-over-form.tsx';
import { SnoozeForm } from './snooze-form.tsx';
import { snoozeTimes } from './snooze-times.ts';
import type { Acting } from './use-acting.ts';

const words = all.actions;

/** Which menu of the actions is open; keys open them, too. */
export type OpenMenu = 'assign' | 'snooze' | undefined;

type Props = {
  conversation: Schemas['Conversation'];
  /** Undefined until it is known. */
  contact: Schemas['Contact'] | undefined;
  acting: Acting;
  menu: OpenMenu;
  setMenu: (menu: OpenMenu) => void;
  keepUnread: () => void;
};

/** What can be done with the open conversation. */
export const Actions = ({ conversation, contact, acting, menu, setMenu, keepUnread }: Props) => {
  const { status, owner, snoozed_until: snoozedUntil } = conversation;
  const [isHandingOver, handingOver] = useDisclosure();
  const [isChoosing, choosing] = useDisclosure();
  const now = new Date(useNow());
  const isOpen = status === 'open';
  const menuProps = (name: NonNullable<OpenMenu>) => ({
    opened: menu === name,
    onChange: (opened: boolean) => setMenu(opened ? name : undefined),
    position: 'bottom-end' as const,
  });
  return (
    <>
      {isOpen && (
        <Menu {...menuProps('assign')}>
          <Menu.Target>
            <Button size="xs" variant="default" title={words.withKey(words.assign, 'A')}>
              {words.assign}
            </Button>
          </Menu.Target>
          <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
            <Assignees acting={acting} />
          </Menu.Dropdown>
        </Menu>
      )}
      {isOpen && (
        <Menu {...menuProps('snooze')}>
          <Menu.Target>
            <Button size="xs" variant="default" title={words.withKey(words.snooze, 'S')}>
              {words.snooze}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {snoozedUntil !== null && <Menu.Item onClick={() => acting.snooze(null)}>{words.wake}</Menu.Item>}
            {snoozeTimes(now).map(({ name, at, said }) => (
              <Menu.Item
                key={name}
                onClick={() => acting.snooze(at)}
                rightSection={<span className="inbox-count">{said}</span>}
              >
                <span>{words.times[name]}</span>
              </Menu.Item>
            ))}
            <Menu.Item onClick={choosing.open}>{words.snoozeUntil}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
      {isOpen ? (
        <Button size="xs" onClick={acting.close} title={words.withKey(words.close, 'E')}>
          {words.close}
        </Button>
      ) : (
        <Button size="xs" onClick={acting.reopen} title={words.withKey(words.reopen, 'E')}>
          {words.reopen}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs" variant="default">
            {words.more}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {isOpen && <Menu.Item onClick={handingOver.open}>{words.handOver}</Menu.Item>}
          {isOpen && owner !== 'bot' && <Menu.Item onClick={acting.handBack}>{words.handBack}</Menu.Item>}
          <Menu.Item onClick={keepUnread}>{words.unread}</Menu.Item>
          {contact && <ContactStatusItems contact={contact} />}
        </Menu.Dropdown>
      </Menu>
      {isHandingOver && <HandOverForm acting={acting} close={handingOver.close} />}
      {isChoosing && <SnoozeForm acting={acting} close={choosing.close} />}
    </>
  );
};

const Assignees = ({ acting }: { acting: Acting }) => {
  const { user: me } = useSignedIn();
  const { users, sayUser } = useUsers();
  return (
    <>
      <Menu.Item onClick={() => acting.assign(me.id)}>
        <span>{conversationWords.me}</span>
      </Menu.Item>
      {users
        .filter(({ id }) => id !== me.id)
        .map(({ id }) => (
          <Menu.Item key={id} onClick={() => acting.assign(id)}>
            <span>{sayUser(id)}</span>
          </Menu.Item>
        ))}
      <Menu.Item onClick={() => acting.assign(null)}>
        <span>{conversationWords.nobody}</span>
      </Menu.Item>
    </>
  );
};
