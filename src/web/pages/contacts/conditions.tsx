import { Button, Group, Pill, Select, Stack, Text, TextInput, Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { operators, operatorsOf, type Operator } from '../../../shared/contacts/operators.ts';
import type { Schemas } from '../../api/client.ts';
import { sayTime, Time } from '../../parts/time.tsx';
import { useList } from '../../parts/use-list.ts';
import { readCondition, writeCondition, type Condition } from './condition.ts';
import { words } from './words.ts';

/** As many as the API takes. */
const conditionsAtMost = 5;

type Props = { conditions: readonly string[]; setConditions: (conditions: readonly string[]) => void };

/** Conditions on custom fields, which all hold. */
export const Conditions = ({ conditions, setConditions }: Props) => {
  const { rows: fields } = useList('/custom-fields', { limit: 200 });
  const [isOpen, { toggle, close }] = useDisclosure();
  const read = (text: string) => {
    const { key, operator, value } = readCondition(text) ?? { key: text, operator: 'eq' as const, value: '' };
    const field = fields?.find((known) => known.key === key);
    const name = field?.name ?? key;
    if (operator === 'exists') {
      const sentence = `${name} ${value === 'false' ? words.hasNone : words.operators.exists}`;
      return { sentence, shown: sentence };
    }
    const begin = `${name} ${words.operators[operator]}`;
    if (field?.type === 'datetime' && isMoment(value))
      return {
        sentence: `${begin} ${sayTime(value)}`,
        shown: (
          <>
            {begin} <Time at={value} format="exact" />
          </>
        ),
      };
    const isYesOrNo = field?.type === 'boolean' && (value === 'true' || value === 'false');
    const sentence = `${begin} ${isYesOrNo ? (value === 'true' ? words.yes : words.no) : value}`;
    return { sentence, shown: sentence };
  };
  return (
    <Group gap="xs">
      {conditions.map((condition) => {
        const { sentence, shown } = read(condition);
        return (
          <Pill
            key={condition}
            size="md"
            withRemoveButton
            removeButtonProps={{
              'aria-label': words.removeCondition(sentence),
              'aria-hidden': false,
              tabIndex: 0,
            }}
            onRemove={() => setConditions(conditions.filter((other) => other !== condition))}
          >
            {shown}
          </Pill>
        );
      })}
      {conditions.length < conditionsAtMost && (
        <Popover opened={isOpen} onChange={close} trapFocus returnFocus width={300} position="bottom-start" withArrow>
          <Popover.Target>
            <Button variant="default" onClick={toggle}>
              {words.addCondition}
            </Button>
          </Popover.Target>
          <Popover.Dropdown aria-label={words.condition}>
            {fields?.length === 0 ? (
              <Text size="sm">{words.noFields}</Text>
            ) : (
              <NewCondition
                fields={fields ?? []}
                add={(condition) => {
                  close();
                  const text = writeCondition(condition);
                  if (!conditions.includes(text)) setConditions([...conditions, text]);
                }}
              />
            )}
          </Popover.Dropdown>
        </Popover>
      )}
    </Group>
  );
};

type NewProps = { fields: readonly Schemas['CustomField'][]; add: (condition: Condition) => void };

const NewCondition = ({ fields, add }: NewProps) => {
  const [key, setKey] = useState<string | null>(null);
  const [operator, setOperator] = useState<Operator>('eq');
  const [value, setValue] = useState('');
  const field = fields.find((known) => known.key === key);
  const possible = operatorsOf[field?.type ?? 'text'];
  const used = possible.includes(operator) ? operator : (possible[0] ?? 'exists');
  const yesOrNo = [
    { value: 'true', label: words.yes },
    { value: 'false', label: words.no },
  ];
  const choices = used === 'exists' || field?.type === 'boolean' ? yesOrNo : field?.options;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!field || value === '') return;
        const isTyped = field.type === 'datetime' && used !== 'exists';
        add({ key: field.key, operator: used, value: isTyped ? new Date(value).toISOString() : value });
      }}
    >
      <Stack gap="xs">
        <Select
          label={words.field}
          data={fields.map((known) => ({ value: known.key, label: known.name }))}
          value={key}
          onChange={(chosen) => {
            setKey(chosen);
            setValue('');
          }}
          comboboxProps={{ withinPortal: false }}
          searchable
          required
        />
        <Select
          label={words.operator}
          data={possible.map((name) => ({ value: name, label: words.operators[name] }))}
          value={used}
          onChange={(chosen) => {
            setOperator(operators.find((name) => name === chosen) ?? 'eq');
            setValue('');
          }}
          comboboxProps={{ withinPortal: false }}
          allowDeselect={false}
        />
        {choices ? (
          <Select
            label={words.value}
            data={choices}
            value={value || null}
            onChange={(chosen) => setValue(chosen ?? '')}
            comboboxProps={{ withinPortal: false }}
            required
          />
        ) : (
          <TextInput
            label={words.value}
            type={inputTypes[field?.type ?? 'text'] ?? 'text'}
            // A time of day is offered with its seconds.
            step={field?.type === 'datetime' ? 1 : 'any'}
            maxLength={500}
            value={value}
            onChange={({ currentTarget }) => setValue(currentTarget.value)}
            required
          />
        )}
        <Button type="submit">{words.add}</Button>
      </Stack>
    </form>
  );
};

const inputTypes: Partial<Record<Schemas['CustomField']['type'], string>> = {
  number: 'number',
  date: 'date',
  datetime: 'datetime-local',
};

/** Whether a text says a moment wherever it is read. */
const isMoment = (text: string): boolean =>
  /^\d{4}-.*T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) && !Number.isNaN(Date.parse(text));
