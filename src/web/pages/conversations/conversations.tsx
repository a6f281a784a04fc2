import { IconMessages } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { conversationColumns } from '../../parts/conversation-columns.tsx';
import { linkOfConversation } from '../../parts/link-of-conversation.ts';
import { conversationFilterNames, conversationQuery, readConversationFilters } from '../../parts/conversation-query.ts';
import { Empty } from '../../parts/empty.tsx';
import { FilteredList } from '../../parts/filtered-list.tsx';
import { Page as Frame } from '../../parts/page.tsx';
import { ToChannels } from '../../parts/to-channels.tsx';
import { useCount } from '../../parts/use-count.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useList } from '../../parts/use-list.ts';
import { useOrder } from '../../parts/use-order.ts';
import { useSelection } from '../../parts/use-selection.ts';
import { useUsers } from '../../parts/use-users.ts';
import { useSignedIn } from '../../shell/session-context.ts';
import { conversationWords } from '../../words/conversations.ts';
import { BulkConversations } from './bulk-conversations.tsx';
import { Filters } from './filters.tsx';
import { HandedOverWithout } from './handed-over-without.tsx';
import { words } from './words.ts';

/** What is said with all contacts: the conversation with the latest message first, with who looks after each. */
export const Page = () => {
  const [params] = useSearchParams();
  const { setFilters, clear } = useFilters(conversationFilterNames);
  const filters = readConversationFilters(params);
  const { user } = useSignedIn();
  const { findUser } = useUsers();
  const columns = useMemo(() => conversationColumns(findUser, { ofContacts: true }), [findUser]);
  const query = conversationQuery(filters, user.id);
  const sort = useOrder(
    filters.owner === 'waiting' ? ['latest_message', 'opened', 'waiting_longest'] : ['latest_message', 'opened'],
  );
  const list = useList('/conversations', { query: { order: sort.order, ...query } });
  const count = useCount('/conversations/count', list, query);
  const selection = useSelection(list.rows);
  return (
    <Frame title={words.title} description={words.description}>
      <FilteredList
        name="conversations"
        label={words.list}
        counted={conversationWords.counted}
        noneFound={words.noneFound}
        noneFoundHint={words.noneFoundHint}
        clear={clear}
        filters={<Filters filters={filters} setFilters={setFilters} />}
        list={list}
        minWidth={760}
        linkOf={linkOfConversation}
        selection={selection}
        bulk={<BulkConversations selection={selection} conversations={list.rows ?? []} />}
        count={count}
        sort={sort}
        columns={columns}
        empty={
          <Empty icon={IconMessages} title={words.empty} action={<ToChannels />}>
            {words.emptyHint}
          </Empty>
        }
      />
      {filters.state === 'handover' && <HandedOverWithout />}
    </Frame>
  );
};
