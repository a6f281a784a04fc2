import { Select } from '@mantine/core';
import { FieldProblems } from '../problems/field-problems.tsx';
import { mountedOpen } from './lazily.ts';
import { Misfit } from './misfit.tsx';
import { useAt, type ControlProps } from './use-at.ts';
import { words } from './words.ts';

type Props = ControlProps & {
  /** What can be chosen. */
  options: readonly { value: string; label: string }[];
  noneFound: string;
};

/** Chooses a block or a flow by its title. One that is not there stays, and is shown by its id. */
export const ReferenceField = ({ path, label, description, options, noneFound }: Props) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (value !== undefined && typeof value !== 'string') return <Misfit path={path} label={label} />;
  const isThere = options.some((option) => option.value === value);
  const others = value === undefined || value === '' || isThere ? [] : [{ value, label: words.unknown(value) }];
  return (
    <div data-field={path}>
      <Select
        label={label}
        description={description}
        data={[...options, ...others]}
        nothingFoundMessage={noneFound}
        value={value === undefined || value === '' ? null : value}
        onChange={(chosen) => chosen !== null && set(chosen)}
        searchable
        comboboxProps={mountedOpen}
        allowDeselect={false}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
