import { Select } from '@mantine/core';
import { runStatusWords } from '../../words/run-status.ts';
import { runStatuses } from './run-statuses.ts';
import { words } from './words.ts';

type Props = {
  value: (typeof runStatuses)[number] | undefined;
  /** Gets null where the choice is taken away. */
  onChange: (status: string | null) => void;
};

/** Chooses runs by their status, or all. */
export const RunStatusSelect = ({ value, onChange }: Props) => (
  <Select
    label={words.status}
    placeholder={words.anyStatus}
    data={runStatuses.map((status) => ({ value: status, label: runStatusWords.statuses[status] }))}
    value={value ?? null}
    onChange={onChange}
    clearable
  />
);
