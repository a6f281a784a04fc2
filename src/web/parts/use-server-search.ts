import type { SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';

/** What a select offers by a search of the server. */
type ServerSearch = {
  /** What has been typed for a moment. */
  search: string;
  /** Whether the search is not yet what is typed. */
  isBehind: boolean;
  isOpen: boolean;
  /** For the select. */
  props: Pick<
    SelectProps,
    'filter' | 'onSearchChange' | 'onDropdownOpen' | 'onDropdownClose' | 'searchable' | 'clearable'
  >;
};

/** A select whose options the server searches, once it is open and as one types. */
export const useServerSearch = (): ServerSearch => {
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [search] = useDebouncedValue(typed.trim(), 250);
  return {
    search,
    isBehind: typed.trim() !== search,
    isOpen,
    props: {
      // The server has searched already, also in what is not shown.
      filter: ({ options }) => options,
      onSearchChange: setTyped,
      onDropdownOpen: () => setOpen(true),
      onDropdownClose: () => setOpen(false),
      searchable: true,
      clearable: true,
    },
  };
};
