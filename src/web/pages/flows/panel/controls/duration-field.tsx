import { Group, NumberInput, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { FieldProblems } from '../problems/field-problems.tsx';
import { durationUnits, readDuration, writeDuration, type DurationUnit } from './duration.ts';
import { Misfit } from './misfit.tsx';
import { useAt, type ControlProps } from './use-at.ts';
import { words } from './words.ts';

/** The most that is typed: further digits say nothing that a flow can wait for. */
const largest = 999_999;

/** How long something takes: a number and a unit, with what stands in the definition below. */
export const DurationField = ({ path, label, description, byDefault }: ControlProps & { byDefault?: string }) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  const read = typeof value === 'string' ? readDuration(value) : undefined;
  const usual = byDefault === undefined ? undefined : readDuration(byDefault);
  const [unit, setUnit] = useState<DurationUnit>(read?.unit ?? usual?.unit ?? 'hours');
  if (value !== undefined && !read) return <Misfit path={path} label={label} />;
  const shownUnit = read?.unit ?? unit;
  return (
    <div data-field={path}>
      <Group gap="xs" wrap="nowrap" align="flex-end">
        <NumberInput
          label={label}
          description={description}
          min={0}
          max={largest}
          allowDecimal={false}
          allowNegative={false}
          placeholder={usual && String(usual.amount)}
          value={read?.amount ?? ''}
          onChange={(typed) =>
            set(typed === '' ? undefined : writeDuration({ amount: Math.min(Number(typed), largest), unit: shownUnit }))
          }
          flex={1}
          {...described}
        />
        <Select
          aria-label={words.unitOf(label)}
          data={durationUnits.map((each) => ({ value: each, label: words.units[each] }))}
          value={shownUnit}
          allowDeselect={false}
          onChange={(chosen) => {
            const next = durationUnits.find((each) => each === chosen) ?? shownUnit;
            setUnit(next);
            if (read) set(writeDuration({ amount: read.amount, unit: next }));
          }}
          w={130}
        />
      </Group>
      <Text size="xs" c="dimmed" mt={2}>
        {typeof value === 'string' ? value : byDefault === undefined ? words.notSet : words.byDefault(byDefault)}
      </Text>
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
