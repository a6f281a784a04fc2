import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';

/** How long somebody may think between two letters before the search begins, in ms. */
const pauseMs = 300;

type Props = {
  label: string;
  /** Whether the label is for screen readers alone, in a narrow place. */
  isCompact?: boolean;
  placeholder?: string;
  value: string;
  maxLength?: number;
  /** Gets what was typed, some moments after the last letter. */
  onSearch: (text: string) => void;
};

/** A text that is searched for while it is typed. */
export const SearchInput = ({ value, onSearch, label, isCompact = false, ...input }: Props) => {
  const [text, setText] = useState(value);
  const told = useRef(value);
  const tell = useDebouncedCallback((typed: string) => {
    told.current = typed.trim();
    onSearch(told.current);
  }, pauseMs);
  // The filters may be cleared elsewhere, or another address gone to: what was typed until then is not searched for.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setText(value);
    tell.cancel();
  }, [value, tell]);
  return (
    <TextInput
      {...input}
      {...(isCompact ? { 'aria-label': label, size: 'xs' } : { label })}
      type="search"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        tell(currentTarget.value);
      }}
    />
  );
};
