import { Select } from '@mantine/core';
import { conversationWords } from '../words/conversations.ts';
import { useList } from './use-list.ts';
import { useServerSearch } from './use-server-search.ts';

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
  const { search, isOpen, props } = useServerSearch();
  const isTyped = search !== '' && search !== value;
  const { rows: tags = [] } = useList('/tags', {
    query: isTyped ? { search } : {},
    limit: offered,
    isEnabled: isOpen,
  });
  return (
    <Select
      {...props}
      {...(isCompact ? { 'aria-label': conversationWords.tag, size: 'xs' } : { label: conversationWords.tag })}
      placeholder={conversationWords.anyTag}
      data={[...new Set([...tags.map((one) => one.name), ...(value === undefined ? [] : [value])])]}
      value={value ?? null}
      onChange={onChange}
    />
  );
};
