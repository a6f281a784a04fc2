import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { SearchInput } from '../../../parts/search-input.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { useList } from '../../../parts/use-list.ts';
import { words as all } from '../words.ts';
import { searchAtMost } from './use-shown.ts';

const words = all.list;

/** As many tags as are offered at once. */
const offered = 50;

/** Gives the focus to the field that searches the list. */
export const focusSearch = (): void => document.querySelector<HTMLElement>('.inbox-search input')?.focus();

/** Finds conversations by whom they are with, and by a tag of that contact. The address keeps both. */
export const Search = () => {
  const { filters, setFilters } = useFilters(['search', 'tag']);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 250);
  const { tag } = filters;
  const isTyped = name !== '' && name !== tag;
  const { rows: tags = [] } = useList('/tags', {
    query: isTyped ? { search: name } : {},
    limit: offered,
    isEnabled: isOpen,
  });
  return (
    <div role="search" className="inbox-search">
      <SearchInput
        isCompact
        label={words.search}
        placeholder={words.search}
        value={filters.search ?? ''}
        maxLength={searchAtMost}
        onSearch={(search) => setFilters({ search })}
      />
      <Select
        aria-label={words.tag}
        size="xs"
        placeholder={words.anyTag}
        data={[...new Set([...tags.map((one) => one.name), ...(tag === undefined ? [] : [tag])])]}
        // The server has searched already, also in what is not shown.
        filter={({ options }) => options}
        value={tag ?? null}
        onChange={(chosen) => setFilters({ tag: chosen })}
        onSearchChange={setTyped}
        onDropdownOpen={() => setOpen(true)}
        onDropdownClose={() => setOpen(false)}
        searchable
        clearable
      />
    </div>
  );
};
