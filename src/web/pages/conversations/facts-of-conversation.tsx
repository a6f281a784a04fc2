import { Group } from '@mantine/core';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { showAtOnce } from '../../api/show-at-once.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { showDone } from '../../parts/show-done.tsx';
import { useUsers } from '../../parts/use-users.ts';
import { showFailure } from '../../parts/failure.tsx';
import { Time } from '../../parts/time.tsx';
import { nobody, UserSelect } from '../../parts/user-select.tsx';
import { To } from '../../parts/to.tsx';
import { conversationWords } from '../../words/conversations.ts';
import { words } from './words.ts';

/** Whose it is, on which channel, and who looks after it, which is chosen here. */
export const FactsOfConversation = ({ conversation }: { conversation: Schemas['Conversation'] }) => {
  const { id, contact_id: contactId, channel_id: channelId, assigned_to: assignedTo } = conversation;
  const { sayUser } = useUsers();
  const channel = api.useQuery('get', '/channels/{id}', { params: { path: { id: channelId } } });

  const assign = async (user: string | null, only: { if_assigned_to?: string | null } = {}): Promise<void> => {
    await showAtOnce<Schemas['Conversation']>({
      path: '/conversations/{id}',
      id,
      change: () => ({ assigned_to: user }),
      send: () =>
        client.PATCH('/conversations/{id}', { params: { path: { id } }, body: { assigned_to: user, ...only } }),
    });
    await invalidate('/conversations');
  };
  const assignWithUndo = async (user: string | null): Promise<void> => {
    await assign(user);
    const message = user === null ? words.unassigned : words.assigned(sayUser(user));
    showDone({ message, undo: () => assign(assignedTo, { if_assigned_to: user }) });
  };
  return (
    <Group align="flex-start" justify="space-between" gap="lg">
      <Facts
        facts={[
          [words.contact, <ContactLink key="contact" id={contactId} />],
          [
            conversationWords.channel,
            <To key="channel" to={`/settings/channels/${channelId}`}>
              {channel.data?.name ?? '…'}
            </To>,
          ],
          [words.opened, <Time key="opened" at={conversation.created_at} />],
          [words.closedAt, conversation.closed_at && <Time key="closed" at={conversation.closed_at} />],
          [words.id, <Copyable key="id" value={id} label={words.id} />],
        ]}
      />
      <UserSelect
        label={conversationWords.assignedTo}
        value={assignedTo ?? nobody}
        onChange={(user) => void assignWithUndo(user === nobody ? null : user).catch(showFailure)}
      />
    </Group>
  );
};
