import { searchAtMost } from '../../../parts/conversation-query.ts';
import { SearchInput } from '../../../parts/search-input.tsx';
import { TagSelect } from '../../../parts/tag-select.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { conversationWords } from '../../../words/conversations.ts';

/** Gives the focus to the field that searches the list. */
export const focusSearch = (): void => document.querySelector<HTMLElement>('.inbox-search input')?.focus();

/** Finds conversations by whom they are with, and by a tag of that contact. The address keeps both. */
export const Search = () => {
  const { filters, setFilters } = useFilters(['search', 'tag']);
  return (
    <div role="search" className="inbox-search">
      <SearchInput
        isCompact
        label={conversationWords.search}
        placeholder={conversationWords.search}
        value={filters.search ?? ''}
        maxLength={searchAtMost}
        onSearch={(search) => setFilters({ search })}
      />
      <TagSelect isCompact value={filters.tag} onChange={(tag) => setFilters({ tag })} />
    </div>
  );
};
