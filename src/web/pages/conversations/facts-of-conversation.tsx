import { Group } from '@mantine/core';
import { api, client, type Schemas } from '../../api/client.ts';
import { invalidate } from '../../api/query-client.ts';
import { ContactLink } from '../../parts/contact-link.tsx';
import { Copyable } from '../../parts/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { showFailure } from '../../parts/failure.tsx';
import { Time } from '../../parts/time.tsx';
import { nobody, UserSelect } from '../../parts/user-select.tsx';
import { To } from '../../parts/to.tsx';
import { conversationWords } from '../../words/conversations.ts';
import { words } from './words.ts';

/** Whose it is, on which channel, and who looks after it, which is chosen here. */
export const FactsOfConversation = ({ conversation }: { conversation: Schemas['Conversation'] }) => {
  const { id, contact_id: contactId, channel_id: channelId, assigned_to: assignedTo } = conversation;
  const channel = api.useQuery('get', '/channels/{id}', { params: { path: { id: channelId } } });

  const assign = async (userId: string | null): Promise<void> => {
    await client.PATCH('/conversations/{id}', {
      params: { path: { id } },
      body: { assigned_to: userId === nobody ? null : userId },
    });
    await invalidate('/conversations');
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
        onChange={(userId) => void assign(userId).catch(showFailure)}
      />
    </Group>
  );
};
