import { Button, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { showFailure } from '../../../../parts/failure.tsx';
import { useList } from '../../../../parts/use-list.ts';
import { FieldProblems } from '../problems/field-problems.tsx';
import { createTag } from './create.ts';
import { mountedOpen } from './lazily.ts';
import { Misfit } from './misfit.tsx';
import { TemplateField } from './template-field.tsx';
import { useAt, type ControlProps } from './use-at.ts';
import { words } from './words.ts';

/** Begins the value of the choice that creates a tag: no name begins with a blank. */
const creates = ' ';

/** The names of the account's tags; the server searches where it has more of them than a page. Undefined while they are not known. */
const useTags = (typed: string): readonly string[] | undefined => {
  const all = useList('/tags', { limit: 200 });
  const [search] = useDebouncedValue(typed, 250);
  const isSearched = all.more !== undefined && typed !== '';
  const found = useList('/tags', { query: { search }, limit: 200, isEnabled: isSearched && search !== '' });
  const rows = !isSearched ? all.rows : search === typed ? found.rows : undefined;
  return useMemo(() => rows?.map(({ name }) => name), [rows]);
};

type Props = ControlProps & {
  /** Whether placeholders may stand in it. */
  isTemplate?: boolean;
};

/** Chooses a tag, creates one, or composes its name of placeholders. */
export const TagField = ({ path, label, description, isTemplate = false }: Props) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  const [typed, setTyped] = useState('');
  // What is chosen stands in the field as well, and is no search.
  const tags = useTags(typed.trim() === value ? '' : typed.trim());
  const [isWriting, setWriting] = useState(typeof value === 'string' && value.includes('{{'));
  if (value !== undefined && typeof value !== 'string') return <Misfit path={path} label={label} />;
  const change = isTemplate && (
    <Button size="compact-sm" variant="subtle" mt={2} onClick={() => setWriting(!isWriting)}>
      {isWriting ? words.withoutPlaceholders : words.withPlaceholders}
    </Button>
  );
  if (isWriting)
    return (
      <div>
        <TemplateField path={path} label={label} {...(description !== undefined && { description })} />
        {change}
      </div>
    );
  const names = [...(tags ?? [])];
  const isThere = (name: string): boolean => names.some((other) => other.toLowerCase() === name.toLowerCase());
  if (value !== undefined && value !== '' && !names.includes(value)) names.push(value);
  const wanted = typed.trim();
  const data = [
    ...names.map((name) => ({ value: name, label: name })),
    ...(tags && wanted !== '' && wanted.length <= 100 && !isThere(wanted)
      ? [{ value: creates + wanted, label: words.createTag(wanted) }]
      : []),
  ];
  const choose = (chosen: string | null): void => {
    if (!chosen?.startsWith(creates)) return set(chosen ?? undefined);
    const name = chosen.slice(creates.length);
    set(name);
    createTag(name).catch(showFailure);
  };
  return (
    <div data-field={path}>
      <Select
        label={label}
        description={description}
        data={data}
        nothingFoundMessage={tags && words.noTag}
        value={value === undefined || value === '' ? null : value}
        onSearchChange={setTyped}
        onChange={choose}
        searchable
        comboboxProps={mountedOpen}
        allowDeselect={false}
        {...described}
      />
      {change}
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
