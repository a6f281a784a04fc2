import { NumberInput } from '@mantine/core';
import type { Issue } from '../json/issue-list.tsx';
import { errorAt, IssueNotes, issuesAt } from './issue-notes.tsx';
import { templateOf } from './read-request.ts';

type Props = {
  field: string;
  label: string;
  hint: string;
  value: unknown;
  /** Undefined takes the field away: its default counts. */
  onChange: (value: number | undefined) => void;
  issues: readonly Issue[];
  /** What counts while nothing is given. */
  standard: number;
  least: number;
  most: number;
  /** How many of what is stored make one of what is shown. */
  unit?: number;
};

/** A number of the block. One that is out of bounds is kept and told. */
export const NumberField = ({
  field,
  label,
  hint,
  value,
  onChange,
  issues,
  standard,
  least,
  most,
  unit = 1,
}: Props) => {
  const told = errorAt(issues, field);
  return (
    <div data-field={field}>
      <NumberInput
        label={label}
        description={hint}
        placeholder={String(standard / unit)}
        value={typeof value === 'number' ? value / unit : templateOf(value)}
        min={least / unit}
        max={most / unit}
        clampBehavior="none"
        error={told}
        onChange={(typed) => {
          const number = typeof typed === 'number' ? typed : typed.trim() === '' ? undefined : Number(typed);
          if (number === undefined) onChange(undefined);
          else if (Number.isFinite(number)) onChange(Math.round(number * unit));
        }}
      />
      <IssueNotes issues={issuesAt(issues, field)} told={told} />
    </div>
  );
};
