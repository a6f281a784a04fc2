import { Select } from '@mantine/core';
import { IconMessages } from '@tabler/icons-react';
import { useMemo } from 'react';
import { ChannelSelect } from '../../parts/channel-select.tsx';
import { ContactSelect } from '../../parts/contact-select.tsx';
import { conversationColumns } from '../../parts/conversation-columns.tsx';
import { linkOfConversation } from '../../parts/link-of-conversation.ts';
import { conversationFilterNames, conversationQuery } from '../../parts/conversation-query.ts';
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
import { UserSelect } from '../../parts/user-select.tsx';
import { conversationWords } from '../../words/conversations.ts';
import { BulkConversations } from './bulk-conversations.tsx';
import { HandedOverWithout } from './handed-over-without.tsx';
import { words } from './words.ts';

const statuses = ['open', 'closed'] as const;

/** What is said with all contacts: the conversation with the latest message first, with who looks after each. */
export const Page = () => {
  const { filters, setFilters, clear } = useFilters(conversationFilterNames);
  const { findUser } = useUsers();
  const columns = useMemo(() => conversationColumns(findUser, { ofContacts: true }), [findUser]);
  const status = statuses.find((known) => known === filters.status);
  const isHandover = filters.state === 'handover';
  const query = conversationQuery(filters);
  const sort = useOrder(['latest_message', 'opened']);
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
        filters={
          <>
            <Select
              label={words.filterStatus}
              placeholder={words.anyStatus}
              data={statuses.map((value) => ({ value, label: conversationWords[value] }))}
              value={status ?? null}
              onChange={(value) => setFilters({ status: value })}
              clearable
            />
            <Select
              label={words.filterState}
              placeholder={words.anyState}
              data={[{ value: 'handover', label: words.handover }]}
              value={isHandover ? 'handover' : null}
              onChange={(value) => setFilters({ state: value })}
              clearable
            />
            <UserSelect
              label={conversationWords.assignedTo}
              placeholder={words.anyone}
              value={filters.assigned_to}
              onChange={(value) => setFilters({ assigned_to: value })}
            />
            <ChannelSelect value={filters.channel} onChange={(value) => setFilters({ channel: value })} />
            <ContactSelect value={filters.contact} onChange={(value) => setFilters({ contact: value })} />
          </>
        }
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
      {isHandover && <HandedOverWithout />}
    </Frame>
  );
};
