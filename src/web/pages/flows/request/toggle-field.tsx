import { Switch } from '@mantine/core';
import type { Issue } from '../json/issue-list.tsx';
import { errorAt } from './issue-notes.tsx';

type Props = {
  field: string;
  label: string;
  hint: string;
  value: unknown;
  onChange: (isOn: true | undefined) => void;
  issues: readonly Issue[];
};

/** What is on or off, off at first. */
export const ToggleField = ({ field, label, hint, value, onChange, issues }: Props) => (
  <div data-field={field}>
    <Switch
      label={label}
      description={hint}
      checked={value === true}
      error={errorAt(issues, field)}
      onChange={({ currentTarget }) => onChange(currentTarget.checked || undefined)}
    />
  </div>
);
