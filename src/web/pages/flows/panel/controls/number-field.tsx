import { NumberInput } from '@mantine/core';
import { FieldProblems } from '../problems/field-problems.tsx';
import { Misfit } from './misfit.tsx';
import { useAt, type ControlProps } from './use-at.ts';

type Props = ControlProps & {
  byDefault?: number;
  min: number;
  max: number;
  /** How many of what is stored make one of what is shown. */
  unit?: number;
};

/** A whole number. One beyond its bounds is shown with its problem, and not changed. */
export const NumberField = ({ path, label, description, byDefault, min, max, unit = 1 }: Props) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (value !== undefined && typeof value !== 'number') return <Misfit path={path} label={label} />;
  return (
    <div data-field={path}>
      <NumberInput
        label={label}
        description={description}
        min={min / unit}
        max={max / unit}
        clampBehavior="none"
        placeholder={byDefault === undefined ? undefined : String(byDefault / unit)}
        value={value === undefined ? '' : value / unit}
        onChange={(typed) => set(typed === '' ? undefined : Number(typed) * unit)}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
