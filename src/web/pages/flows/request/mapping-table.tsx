import { ActionIcon, Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { setFields, textOf } from '../edits/blocks.ts';
import type { Issue } from '../json/issue-list.tsx';
import { FieldSelect } from './field-select.tsx';
import { errorAt, IssueNotes, issuesAt } from './issue-notes.tsx';
import { proposeField } from './propose-field.ts';
import { mappingsOf } from './read-request.ts';
import { Unreadable } from './unreadable.tsx';
import type { Fields } from './use-fields.ts';
import { words } from './words.ts';

type Props = {
  field: 'mapping' | 'error_mapping';
  label: string;
  hint: string;
  value: unknown;
  onChange: (rows: readonly unknown[] | undefined, at: string) => void;
  issues: readonly Issue[];
  fields: Fields;
};

/** The most rows of a mapping. */
const most = 50;

/** Which values of an answer go into which fields. */
export const MappingTable = ({ field, label, hint, value, onChange, issues, fields }: Props) => {
  const rows = mappingsOf(value);
  if (!rows) return <Unreadable field={field} value={value} remove={() => onChange(undefined, field)} />;
  const remove = (index: number): void =>
    onChange(rows.length === 1 ? undefined : rows.toSpliced(index, 1), `${field} remove`);
  return (
    <Stack gap="xs" component="section" aria-label={label} data-field={field}>
      <div>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </div>
      <IssueNotes issues={issuesAt(issues, field)} />
      {rows.map((row, index) =>
        isObject(row) ? (
          <MappingRow
            // Nothing else tells two rows apart, and none moves.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            at={`${field}.${index}`}
            number={index + 1}
            row={row}
            set={(changes, part) => onChange(rows.with(index, setFields(row, changes)), `${field} ${index} ${part}`)}
            remove={() => remove(index)}
            issues={issues}
            fields={fields}
          />
        ) : (
          <Unreadable
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            field={words.mappingRow(index + 1)}
            value={row}
            remove={() => remove(index)}
          />
        ),
      )}
      {rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {words.noMapping}
        </Text>
      )}
      {rows.length >= most ? (
        <Text size="xs" c="dimmed">
          {words.full(most)}
        </Text>
      ) : (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => onChange([...rows, { path: '', field: '' }], `${field} add`)}
          >
            {words.addMapping}
          </Button>
        </Group>
      )}
    </Stack>
  );
};

type RowProps = {
  at: string;
  number: number;
  row: RawBlock;
  set: (changes: Readonly<Record<string, unknown>>, part: string) => void;
  remove: () => void;
  issues: readonly Issue[];
  fields: Fields;
};

const onMissings = ['keep', 'clear', 'error'] as const;
const forms = ['epoch_seconds', 'epoch_milliseconds', 'rfc2822'] as const;

/** The choices with what is there now, also where that is none of them. */
const withOwn = (choices: { value: string; label: string }[], own: string): { value: string; label: string }[] =>
  own === '' || choices.some(({ value }) => value === own) ? choices : [{ value: own, label: own }, ...choices];

const MappingRow = ({ at, number, row, set, remove, issues, fields }: RowProps) => {
  const path = textOf(row, 'path');
  const key = textOf(row, 'field');
  const type = fields.typeOf(key);
  const onMissing = textOf(row, 'on_missing');
  const readAs = textOf(row, 'read_as');
  const readsTimes = type === 'date' || type === 'datetime' || row['read_as'] !== undefined;
  const pathError = errorAt(issues, `${at}.path`);
  const fieldError = errorAt(issues, `${at}.field`);
  const others = issues.filter(
    (issue) => issue.path === at || (issue.path.startsWith(`${at}.`) && !/\.(?:path|field)$/.test(issue.path)),
  );
  return (
    <Paper withBorder p="xs" role="group" aria-label={words.mappingRow(number)} data-field={at}>
      <Stack gap={6}>
        <Group gap={6} wrap="nowrap" align="flex-start" data-field={`${at}.path`}>
          <TextInput
            style={{ flex: 1 }}
            label={words.path}
            placeholder="$.items[0].left"
            value={path}
            error={pathError}
            spellCheck={false}
            autoComplete="off"
            onChange={({ currentTarget }) => set({ path: currentTarget.value }, 'path')}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            mt={24}
            aria-label={words.removeMapping(number)}
            onClick={remove}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Group>
        <div data-field={`${at}.field`}>
          <FieldSelect
            value={key}
            onChange={(chosen) => set({ field: chosen }, 'field')}
            fields={fields}
            error={fieldError}
            proposed={proposeField(path, undefined)}
          />
        </div>
        <Group gap={6} grow align="flex-start">
          <Select
            label={words.onMissing}
            data={withOwn(
              onMissings.map((value) => ({ value, label: words.onMissings[value] })),
              onMissing,
            )}
            allowDeselect={false}
            value={onMissing || 'keep'}
            onChange={(chosen) => set({ on_missing: chosen === 'keep' ? undefined : chosen }, 'on_missing')}
          />
          {readsTimes && (
            <Select
              label={words.readAs}
              data={withOwn(
                [
                  { value: '', label: words.readAsIso },
                  ...forms.map((value) => ({ value, label: words.readAss[value] })),
                ],
                readAs,
              )}
              allowDeselect={false}
              value={readAs}
              onChange={(chosen) => set({ read_as: chosen || undefined }, 'read_as')}
            />
          )}
        </Group>
        <IssueNotes issues={[...issuesAt(issues, `${at}.path`)]} told={pathError} />
        <IssueNotes issues={[...issuesAt(issues, `${at}.field`)]} told={fieldError} />
        <IssueNotes issues={others} />
      </Stack>
    </Paper>
  );
};
