import { TextInput } from '@mantine/core';
import { Misfit } from '../panel/controls/misfit.tsx';
import { useAt, type ControlProps } from '../panel/controls/use-at.ts';
import { FieldProblems } from '../panel/problems/field-problems.tsx';
import { readConstant, templateOf } from './read-request.ts';

type Props = ControlProps & {
  placeholder?: string;
  /** Whether numbers and truths are such, and no texts. */
  isConstant?: boolean;
};

/** A text without placeholders, in which spaces and letters count. */
export const PlainField = ({ path, label, description, placeholder, isConstant = false }: Props) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (typeof value === 'object') return <Misfit path={path} label={label} />;
  return (
    <div data-field={path}>
      <TextInput
        label={label}
        description={description}
        placeholder={placeholder}
        value={templateOf(value)}
        spellCheck={false}
        autoComplete="off"
        onChange={({ currentTarget }) => set(isConstant ? readConstant(currentTarget.value) : currentTarget.value)}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
