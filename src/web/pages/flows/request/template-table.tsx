import { ActionIcon, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Issue } from '../json/issue-list.tsx';
import { TemplateInput } from '../panel/template-input.tsx';
import { errorAt, IssueNotes, issuesAt } from './issue-notes.tsx';
import { entriesOf } from './read-request.ts';
import { jumps, removeRow, renameRow, writeRow, type Table } from './tables.ts';
import { Unreadable } from './unreadable.tsx';
import { words } from './words.ts';

type Props = {
  /** The field of the block. */
  field: 'headers' | 'query' | 'form';
  label: string;
  hint: string;
  value: unknown;
  /** `at` names the row that is typed in. */
  onChange: (table: Table | undefined, at: string) => void;
  issues: readonly Issue[];
  most: number;
  place: 'header' | 'form';
};

/** Names with templates. The last row is empty: who types there adds one. */
export const TemplateTable = ({ field, label, hint, value, onChange, issues, most, place }: Props) => {
  const entries = entriesOf(value);
  if (!entries) return <Unreadable field={field} value={value} remove={() => onChange(undefined, field)} />;
  const names = new Set(entries.map(({ name }) => name));
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
      <IssueNotes issues={issuesAt(issues, field)} />
      {[...entries, undefined].slice(0, most).map((entry, index) => {
        const path = `${field}.${entry?.name ?? ''}`;
        const told = entry && errorAt(issues, path);
        return (
          // A row keeps its place while its name is typed.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index} className="request-row" data-field={entry && path}>
            <Group gap={6} wrap="nowrap" align="flex-start">
              <RowName
                label={entry ? words.nameOf(index + 1) : words.newName}
                name={entry?.name}
                isTaken={(name) => name !== entry?.name && names.has(name)}
                onChange={(name) =>
                  onChange(entry ? renameRow(value, entry.name, name) : writeRow(value, name, ''), `${field} ${index}`)
                }
              />
              {entry && (
                <>
                  <div className="request-cell">
                    <TemplateInput
                      label={words.valueOf(entry.name)}
                      place={place}
                      value={entry.template}
                      error={told}
                      onChange={(template) => onChange(writeRow(value, entry.name, template), `${path} value`)}
                    />
                  </div>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size="lg"
                    aria-label={words.removeRow(entry.name)}
                    onClick={() => onChange(removeRow(value, entry.name), `${path} remove`)}
                  >
                    <IconTrash size={16} aria-hidden />
                  </ActionIcon>
                </>
              )}
            </Group>
            {entry && <IssueNotes issues={issuesAt(issues, path)} told={told} />}
          </div>
        );
      })}
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
  const error = isTaken(shown) ? words.taken : undefined;
  return (
    <TextInput
      className="request-name"
      aria-label={label}
      placeholder={words.rowName}
      value={shown}
      error={error}
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
