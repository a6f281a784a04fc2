import { NumberInput } from '@mantine/core';
import { FieldProblems } from '../problems/field-problems.tsx';
import { Misfit } from './misfit.tsx';
import { useAt, type ControlProps } from './use-at.ts';

type Props = ControlProps & { byDefault?: number; min: number; max: number };

/** A whole number. One beyond its bounds is shown with its problem, and not changed. */
export const NumberField = ({ path, label, description, byDefault, min, max }: Props) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (value !== undefined && typeof value !== 'number') return <Misfit path={path} label={label} />;
  return (
    <div data-field={path}>
      <NumberInput
        label={label}
        description={description}
        min={min}
        max={max}
        clampBehavior="none"
        placeholder={byDefault === undefined ? undefined : String(byDefault)}
        value={value ?? ''}
        onChange={(typed) => set(typed === '' ? undefined : Number(typed))}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
