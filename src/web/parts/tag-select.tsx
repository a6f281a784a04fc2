import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { conversationWords } from '../words/conversations.ts';
import { useList } from './use-list.ts';

type Props = {
  /** A tag's name, or undefined for all contacts. */
  value: string | undefined;
  /** Gets null where the choice is taken away. */
  onChange: (tag: string | null) => void;
  /** Whether the label is for screen readers alone, in a narrow place. */
  isCompact?: boolean;
};

/** As many tags as are offered at once. */
const offered = 50;

/** Chooses a tag of contacts, found by how its name begins. */
export const TagSelect = ({ value, onChange, isCompact = false }: Props) => {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 250);
  const isTyped = name !== '' && name !== value;
  const { rows: tags = [] } = useList('/tags', {
    query: isTyped ? { search: name } : {},
    limit: offered,
    isEnabled: isOpen,
  });
  return (
    <Select
      {...(isCompact ? { 'aria-label': conversationWords.tag, size: 'xs' } : { label: conversationWords.tag })}
      placeholder={conversationWords.anyTag}
      data={[...new Set([...tags.map((one) => one.name), ...(value === undefined ? [] : [value])])]}
      // The server has searched already, also in what is not shown.
      filter={({ options }) => options}
      value={value ?? null}
      onChange={onChange}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      searchable
      clearable
    />
  );
};
