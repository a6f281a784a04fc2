import { Select } from '@mantine/core';
import { ChannelSelect } from '../../parts/channel-select.tsx';
import { ContactSelect } from '../../parts/contact-select.tsx';
import {
  searchAtMost,
  viewer,
  type conversationFilterNames,
  type ConversationFilters,
} from '../../parts/conversation-query.ts';
import { SearchInput } from '../../parts/search-input.tsx';
import { TagSelect } from '../../parts/tag-select.tsx';
import { UserSelect } from '../../parts/user-select.tsx';
import { useSignedIn } from '../../shell/session-context.ts';
import { conversationWords } from '../../words/conversations.ts';
import { words } from './words.ts';

const statuses = ['open', 'closed'] as const;
const owners = ['bot', 'waiting', 'agent'] as const;
const handover = 'handover';
const snoozes = ['false', 'true'] as const;

type Name = (typeof conversationFilterNames)[number];

type Props = { filters: ConversationFilters; setFilters: (changes: Partial<Record<Name, string | null>>) => void };

/** All filters of conversations. */
export const Filters = ({ filters, setFilters }: Props) => {
  const { user } = useSignedIn();
  const { status, owner, state, snoozed, draft, channel, contact, tag, search } = filters;
  const assignee = filters.assigned_to === viewer ? user.id : filters.assigned_to;
  return (
    <>
      <SearchInput
        label={conversationWords.search}
        value={search ?? ''}
        maxLength={searchAtMost}
        onSearch={(text) => setFilters({ search: text })}
      />
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
        data={[
          ...owners.map((value) => ({ value, label: conversationWords.owners[value] })),
          { value: handover, label: words.handover },
        ]}
        value={state ?? owner ?? null}
        onChange={(value) =>
          setFilters(value === handover ? { state: value, owner: null } : { owner: value, state: null })
        }
        clearable
      />
      <UserSelect
        label={conversationWords.assignedTo}
        placeholder={words.anyone}
        value={assignee}
        onChange={(value) => setFilters({ assigned_to: value })}
      />
      <Select
        label={words.snoozed}
        placeholder={words.anySnoozed}
        data={snoozes.map((value) => ({ value, label: words.snoozes[value] }))}
        value={snoozed ?? null}
        onChange={(value) => setFilters({ snoozed: value })}
        clearable
      />
      <Select
        label={words.drafts}
        placeholder={words.anyDraft}
        data={[{ value: 'mine', label: words.myDraft }]}
        value={draft ?? null}
        onChange={(value) => setFilters({ draft: value })}
        clearable
      />
      <ChannelSelect value={channel} onChange={(value) => setFilters({ channel: value })} />
      <TagSelect value={tag} onChange={(value) => setFilters({ tag: value })} />
      <ContactSelect value={contact} onChange={(value) => setFilters({ contact: value })} />
    </>
  );
};
