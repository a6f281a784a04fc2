import { conversationColumns } from '../../../parts/conversation-columns.tsx';
import { linkOfConversation } from '../../../parts/link-of-conversation.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { useList } from '../../../parts/use-list.ts';
import { useUsers } from '../../../parts/use-users.ts';
import { words } from './words.ts';

/** What was said with the contact, channel by channel. */
export const Conversations = ({ contactId }: { contactId: string }) => {
  const { findUser } = useUsers();
  return (
    <DataTable
      label={words.tabs.conversations}
      list={useList('/conversations', { query: { contact_id: contactId, order: 'latest_message' }, limit: 25 })}
      keyOf={({ id }) => id}
      columns={conversationColumns(findUser, { ofContacts: false })}
      linkOf={linkOfConversation}
      empty={<Empty title={words.conversationsEmpty}>{words.conversationsEmptyHint}</Empty>}
    />
  );
};
