import { Switch } from '@mantine/core';
import { FieldProblems } from '../problems/field-problems.tsx';
import { Misfit } from './misfit.tsx';
import { useAt, type ControlProps } from './use-at.ts';

/** Yes or no. */
export const SwitchField = ({ path, label, description, byDefault }: ControlProps & { byDefault: boolean }) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (value !== undefined && typeof value !== 'boolean') return <Misfit path={path} label={label} />;
  return (
    <div data-field={path}>
      <Switch
        label={label}
        description={description}
        checked={value ?? byDefault}
        onChange={({ currentTarget: { checked } }) => set(checked)}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
