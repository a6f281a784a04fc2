import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { BlockFormProps } from '../panel/block-form.ts';
import { Misfit } from '../panel/controls/misfit.tsx';
import { useOpenBlock } from '../panel/open-block.ts';
import { FieldProblems, useProblems } from '../panel/problems/field-problems.tsx';
import { TemplateInput } from '../panel/template-input.tsx';
import { entriesOf } from './read-request.ts';
import { jumps, removeRow, renameRow, writeRow, type Table } from './tables.ts';
import { words } from './words.ts';

type Props = Pick<BlockFormProps, 'set'> & {
  /** The field of the block. */
  field: 'headers' | 'query' | 'form';
  label: string;
  hint: string;
  most: number;
  place: 'header' | 'form';
};

/** Names with templates. The last row is empty: who types there adds one. */
export const TemplateTable = ({ field, label, hint, most, place, set }: Props) => {
  const { block } = useOpenBlock();
  const problems = useProblems(field, { isWhole: false });
  const value = block[field];
  const entries = entriesOf(value);
  if (!entries) return <Misfit path={field} label={label} />;
  const names = new Set(entries.map(({ name }) => name));
  const put = (table: Table | undefined, at: string): void => set({ [field]: table }, `${field} ${at}`);
  return (
    <Stack gap={6} component="section" aria-label={label} data-field={field}>
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </div>
      <FieldProblems id={`${field}-problems`} problems={problems} />
      {[...entries, undefined].slice(0, most).map((entry, index) => (
        // A row keeps its place while its name is typed.
        // oxlint-disable-next-line react/no-array-index-key
        <Group key={index} gap={6} wrap="nowrap" align="flex-start">
          <RowName
            label={entry ? words.nameOf(index + 1) : words.newName}
            name={entry?.name}
            isTaken={(name) => name !== entry?.name && names.has(name)}
            onChange={(name) =>
              put(entry ? renameRow(value, entry.name, name) : writeRow(value, name, ''), `name ${index}`)
            }
          />
          {entry && (
            <>
              <div className="request-cell">
                <TemplateInput
                  path={`${field}.${entry.name}`}
                  label={words.valueOf(entry.name)}
                  isLabelHidden
                  place={place}
                  value={entry.template}
                  onChange={(template) => put(writeRow(value, entry.name, template), entry.name)}
                />
              </div>
              <ActionIcon
                variant="subtle"
                color="gray"
                size="lg"
                aria-label={words.removeRow(entry.name)}
                onClick={() => put(removeRow(value, entry.name), `${entry.name} remove`)}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </>
          )}
        </Group>
      ))}
      {entries.length >= most && (
        <Text size="xs" c="dimmed">
          {words.full(most)}
        </Text>
      )}
    </Stack>
  );
};

type NameProps = {
  label: string;
  name: string | undefined;
  isTaken: (name: string) => boolean;
  onChange: (name: string) => void;
};

/** A name that is taken, or would move its row, waits until the field is left. */
const RowName = ({ label, name = '', isTaken, onChange }: NameProps) => {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? name;
  return (
    <TextInput
      className="request-name"
      aria-label={label}
      placeholder={words.rowName}
      value={shown}
      error={isTaken(shown) ? words.taken : undefined}
      spellCheck={false}
      autoComplete="off"
      onChange={({ currentTarget: { value } }) => {
        const waits = isTaken(value) || jumps(value);
        setTyped(waits ? value : undefined);
        if (!waits && value !== name) onChange(value);
      }}
      onBlur={() => {
        if (typed !== undefined && !isTaken(typed) && typed !== name) onChange(typed);
        if (typed !== undefined) setTyped(undefined);
      }}
    />
  );
};
