import { ActionIcon, Button, Group, Paper, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { isObject, type RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { setFields, textOf } from '../edits/blocks.ts';
import type { BlockFormProps } from '../panel/block-form.ts';
import { IssueNotes } from './issue-notes.tsx';
import { readConstant, templateOf } from './read-request.ts';
import { Unreadable } from './unreadable.tsx';
import { words } from './words.ts';

/** The most rules. */
const most = 10;

const ops = Object.keys(words.operators);

/** Decides whether an answer is a success: by its status, or by rules on what it says. */
export const SuccessPart = ({ block, set, issues }: BlockFormProps) => {
  const value = block['success_when'];
  const own = issues.filter(({ path }) => path === 'success_when' || /^success_when\.(?!rules\.\d)/.test(path));
  const put = (next: RawBlock | undefined, at: string): void => set({ success_when: next }, `success_when ${at}`);
  const given: unknown = isObject(value) ? (value['rules'] ?? []) : [];
  if ((value !== undefined && !isObject(value)) || !Array.isArray(given))
    return <Unreadable field="success_when" value={value} remove={() => put(undefined, 'remove')} />;
  const rules: readonly unknown[] = given;
  const change = (next: readonly unknown[], at: string): void => put({ ...value, rules: next }, at);
  const remove = (index: number): void => change(rules.toSpliced(index, 1), 'remove');
  return (
    <Stack gap="xs" component="section" aria-label={words.success} data-field="success_when">
      <Text size="sm" fw={500}>
        {words.success}
      </Text>
      <SegmentedControl
        fullWidth
        aria-label={words.success}
        data={[
          { value: 'status', label: words.successByStatus },
          { value: 'rules', label: words.successByRules },
        ]}
        value={value === undefined ? 'status' : 'rules'}
        onChange={(next) =>
          put(next === 'status' ? undefined : { rules: [{ path: '$status', op: 'lt', value: 300 }] }, 'kind')
        }
      />
      <IssueNotes issues={own} />
      {value === undefined ? (
        <Text size="xs" c="dimmed">
          {words.portsHint}
        </Text>
      ) : (
        <>
          <Select
            label={words.match}
            data={[
              { value: 'all', label: words.matches.all },
              { value: 'any', label: words.matches.any },
            ]}
            allowDeselect={false}
            value={textOf(value, 'match') || 'all'}
            onChange={(match) => put(setFields(value, { match: match === 'all' ? undefined : match }), 'match')}
          />
          {rules.map((rule, index) =>
            isObject(rule) ? (
              <Rule
                // oxlint-disable-next-line react/no-array-index-key
                key={index}
                number={index + 1}
                rule={rule}
                set={(changes, part) => change(rules.with(index, setFields(rule, changes)), `${index} ${part}`)}
                remove={() => remove(index)}
                issues={issues.filter(({ path }) => path.startsWith(`success_when.rules.${index}.`))}
              />
            ) : (
              <Unreadable
                // oxlint-disable-next-line react/no-array-index-key
                key={index}
                field={words.rule(index + 1)}
                value={rule}
                remove={() => remove(index)}
              />
            ),
          )}
          {rules.length < most && (
            <Group>
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => change([...rules, { path: '', op: 'is', value: true }], 'add')}
              >
                {words.addRule}
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
};

type RuleProps = {
  number: number;
  rule: RawBlock;
  set: (changes: Readonly<Record<string, unknown>>, part: string) => void;
  remove: () => void;
  issues: BlockFormProps['issues'];
};

const Rule = ({ number, rule, set, remove, issues }: RuleProps) => {
  const op = textOf(rule, 'op');
  const takesValue = op !== 'is_set' && op !== 'not_set';
  const data = (ops.includes(op) || op === '' ? ops : [op, ...ops]).map((name) => ({
    value: name,
    label: words.operators[name] ?? name,
  }));
  return (
    <Paper
      withBorder
      p="xs"
      role="group"
      aria-label={words.rule(number)}
      data-field={`success_when.rules.${number - 1}`}
    >
      <Group gap={6} align="flex-end" wrap="nowrap">
        <TextInput
          style={{ flex: 1 }}
          label={words.path}
          placeholder="$.ok"
          spellCheck={false}
          value={textOf(rule, 'path')}
          onChange={({ currentTarget }) => set({ path: currentTarget.value }, 'path')}
        />
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={words.removeRule(number)} onClick={remove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
      <Group gap={6} grow align="flex-end" mt={6}>
        <Select
          label={words.operator}
          data={data}
          allowDeselect={false}
          value={op || null}
          onChange={(next) => set({ op: next ?? op, ...(next?.endsWith('_set') && { value: undefined }) }, 'op')}
        />
        {(takesValue || rule['value'] !== undefined) && (
          <TextInput
            label={words.rowValue}
            value={templateOf(rule['value'])}
            onChange={({ currentTarget }) => set({ value: readConstant(currentTarget.value) }, 'value')}
          />
        )}
      </Group>
      <IssueNotes issues={issues} />
    </Paper>
  );
};
