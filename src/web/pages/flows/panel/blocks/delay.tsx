import { Checkbox, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { weekdays } from '../../../../../shared/flows/blocks/zones.ts';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { commonWords } from '../../../../words/common.ts';
import { DurationField } from '../controls/duration-field.tsx';
import { Misfit } from '../controls/misfit.tsx';
import { TemplateField } from '../controls/template-field.tsx';
import { useAt } from '../controls/use-at.ts';
import { useOpenBlock } from '../open-block.ts';
import { FieldProblems } from '../problems/field-problems.tsx';
import { words as all } from './words.ts';

const words = all.delay;

type Way = keyof typeof words.ways;

/** How long is waited. What a block says beside the chosen way stays in sight, until it is emptied. */
export const DelayForm = () => {
  const { block, setAt } = useOpenBlock();
  const { for: duration, until, window } = block;
  const [chosen, setChosen] = useState<Way>(() =>
    until !== undefined ? 'until' : duration === undefined && window !== undefined ? 'window' : 'for',
  );
  const choose = (next: Way): void => {
    setChosen(next);
    if (next !== 'for' && duration !== undefined) setAt('for', undefined);
    if (next !== 'until' && until !== undefined) setAt('until', undefined);
    if (next === 'window' && window === undefined) setAt('window', {});
  };
  return (
    <Stack gap="sm">
      <Select
        label={words.how}
        data={Object.entries(words.ways).map(([value, label]) => ({ value, label }))}
        value={chosen}
        allowDeselect={false}
        onChange={(next) => choose(next === 'until' || next === 'window' ? next : 'for')}
      />
      {(chosen === 'for' || duration !== undefined) && <DurationField path="for" label={words.for} />}
      {(chosen === 'until' || until !== undefined) && (
        <TemplateField path="until" label={words.until} description={words.untilHint} isOptional />
      )}
      <WindowField />
    </Stack>
  );
};

const WindowField = () => {
  const { value, set, problems, problemsId } = useAt('window', { isWhole: false });
  if (value !== undefined && !isObject(value)) return <Misfit path="window" label={words.window} />;
  return (
    <Stack gap="xs" data-field="window">
      <Switch
        label={words.window}
        description={words.windowHint}
        checked={value !== undefined}
        onChange={({ currentTarget: { checked } }) => set(checked ? { from: '09:00', to: '18:00' } : undefined)}
      />
      {value !== undefined && (
        <>
          <DaysField />
          <Group gap="xs" grow>
            <TimeField path="window.from" label={words.from} />
            <TimeField path="window.to" label={words.to} />
          </Group>
        </>
      )}
      <FieldProblems id={problemsId} problems={problems} />
    </Stack>
  );
};

const DaysField = () => {
  const { value, set, problems, problemsId } = useAt('window.days');
  const isKnown = (day: unknown): boolean => weekdays.some((known) => known === day);
  if (value !== undefined && !(Array.isArray(value) && value.every(isKnown)))
    return <Misfit path="window.days" label={words.days} />;
  return (
    <div data-field="window.days">
      <Checkbox.Group
        label={words.days}
        value={(value ?? []).map(String)}
        onChange={(days) => set(days.length === 0 ? undefined : weekdays.filter((day) => days.includes(day)))}
      >
        <Group gap="xs">
          {weekdays.map((day) => (
            <Checkbox key={day} size="xs" value={day} label={commonWords.dayNames[day]} />
          ))}
        </Group>
      </Checkbox.Group>
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};

const TimeField = ({ path, label }: { path: string; label: string }) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (value !== undefined && !(typeof value === 'string' && /^(?:\d\d:\d\d)?$/.test(value)))
    return <Misfit path={path} label={label} />;
  return (
    <div data-field={path}>
      <TextInput
        type="time"
        label={label}
        value={value ?? ''}
        onChange={({ currentTarget }) => set(currentTarget.value === '' ? undefined : currentTarget.value)}
        {...described}
      />
      {value === undefined && (
        <Text size="xs" c="dimmed">
          00:00
        </Text>
      )}
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
