import { useTranslation } from 'react-i18next';
import { conversationColumns } from '../../../parts/conversation-columns.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { Empty } from '../../../parts/empty.tsx';
import { useList } from '../../../parts/use-list.ts';
import { useUsers } from '../../../parts/use-users.ts';

/** What was said with the contact, channel by channel. */
export const Conversations = ({ contactId }: { contactId: string }) => {
  const { t } = useTranslation('contact');
  const { sayUser } = useUsers();
  return (
    <DataTable
      label={t('tabs.conversations')}
      list={useList('/conversations', { query: { contact_id: contactId, order: 'latest_message' }, limit: 25 })}
      keyOf={({ id }) => id}
      columns={conversationColumns(sayUser)}
      empty={<Empty title={t('conversationsEmpty')}>{t('conversationsEmptyHint')}</Empty>}
    />
  );
};
