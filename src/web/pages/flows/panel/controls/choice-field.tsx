import { Select } from '@mantine/core';
import { FieldProblems } from '../problems/field-problems.tsx';
import { Misfit } from './misfit.tsx';
import { useAt, type ControlProps } from './use-at.ts';
import { words } from './words.ts';

type Props = ControlProps & {
  options: Readonly<Record<string, string>>;
  /** What is meant where nothing is said. */
  byDefault?: string;
  /** Whether nothing may be chosen. */
  isClearable?: boolean;
  onChange?: (value: string | undefined) => void;
};

/** One of several values; another one that stands there stays and can be seen. */
export const ChoiceField = ({ path, label, description, options, byDefault, isClearable = false, onChange }: Props) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (value !== undefined && typeof value !== 'string') return <Misfit path={path} label={label} />;
  const shown = value ?? byDefault ?? null;
  const data = Object.entries(options).map(([option, said]) => ({ value: option, label: said }));
  if (shown !== null && !Object.hasOwn(options, shown)) data.push({ value: shown, label: words.unknown(shown) });
  return (
    <div data-field={path}>
      <Select
        label={label}
        description={description}
        data={data}
        value={shown}
        onChange={(chosen) => (onChange ?? set)(chosen ?? undefined)}
        allowDeselect={isClearable}
        clearable={isClearable}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
