import { ActionIcon, Text, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useState } from 'react';
import type { DrawnBlock } from '../drawing/read-flow.ts';
import { focusFirst } from './hold.ts';
import { words } from './words.ts';

type Props = {
  blocks: readonly DrawnBlock[];
  /** Shows a block that is found, by its key; undefined for none. */
  show: (key: string | undefined) => void;
  close: () => void;
};

/** All texts of a block, in lower case. */
const texts = new WeakMap<DrawnBlock, string>();

const textOf = (block: DrawnBlock): string => {
  const known = texts.get(block) ?? gather(block.raw).join('\n').toLowerCase();
  texts.set(block, known);
  return known;
};

const gather = (value: unknown, depth = 0): string[] => {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (typeof value !== 'object' || value === null || depth > 8) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...(depth > 0 && !Array.isArray(value) ? [key] : []),
    ...gather(inner, depth + 1),
  ]);
};

/** Finds text in any block, and goes from one to the next. */
export const SearchBar = ({ blocks, show, close }: Props) => {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const searched = query.trim().toLowerCase();
  const found = useMemo(
    () => (searched === '' ? [] : blocks.filter((block) => textOf(block).includes(searched))),
    [blocks, searched],
  );
  const place = found.length === 0 ? 0 : at % found.length;
  const key = found[place]?.key;
  useEffect(() => show(key), [key, show]);
  const step = (by: number): void => setAt((place + by + found.length) % Math.max(found.length, 1));
  return (
    <div className="canvas-search" role="search" aria-label={words.search.label}>
      <TextInput
        size="sm"
        ref={focusFirst}
        aria-label={words.search.label}
        placeholder={words.search.label}
        value={query}
        onChange={({ currentTarget }) => {
          setQuery(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Escape') close();
          else if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
        }}
      />
      <Text size="sm" role="status" className="canvas-search-count">
        {searched !== '' && (found.length === 0 ? words.search.none : words.search.count(place + 1, found.length))}
      </Text>
      <ActionIcon variant="subtle" size="lg" aria-label={words.search.previous} onClick={() => step(-1)}>
        <IconChevronUp size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" size="lg" aria-label={words.search.next} onClick={() => step(1)}>
        <IconChevronDown size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon variant="subtle" size="lg" aria-label={words.search.close} onClick={close}>
        <IconX size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
};
