import { Autocomplete, TextInput } from '@mantine/core';
import { use, useState } from 'react';
import { isSystemName, findPath } from '../../../../../shared/flows/blocks/scope.ts';
import { operators, type Operator } from '../../../../../shared/flows/blocks/rules.ts';
import { isObject } from '../../../../../shared/flows/raw-blocks.ts';
import { getAt } from '../../edits/at.ts';
import { useOpenBlock } from '../open-block.ts';
import { FieldProblems } from '../problems/field-problems.tsx';
import { NamesContext } from '../template/names-context.tsx';
import { useFields } from '../use-fields.ts';
import { ChoiceField } from './choice-field.tsx';
import { ListField } from './list.tsx';
import { mountedOpen } from './lazily.ts';
import { Misfit } from './misfit.tsx';
import { TagField } from './tag-field.tsx';
import { useAt } from './use-at.ts';
import { ValueField } from './value-field.tsx';
import { words as controlWords } from './words.ts';

const words = controlWords.rules;

/** The most rules of a block. */
const mostRules = 20;

type Props = { label: string; description?: string; isOptional?: boolean };

/** Comparisons: what is compared, how, and with what, by the type of the field. */
export const RulesField = (props: Props) => (
  <ListField
    {...props}
    path="rules"
    nameOf={words.rule}
    add={{ create: () => ({ field: '', op: 'is', value: '' }), label: words.add }}
    most={mostRules}
  >
    {(path) => <Rule path={path} />}
  </ListField>
);

const Rule = ({ path }: { path: string }) => {
  const { block } = useOpenBlock();
  const fields = useFields();
  const rule = getAt(block, path);
  if (!isObject(rule)) return <Misfit path={path} label={words.rule(Number(path.split('.').at(-1)) + 1)} />;
  const field = typeof rule['field'] === 'string' ? rule['field'] : '';
  const op = typeof rule['op'] === 'string' ? rule['op'] : '';
  const type = findPath(field, fields ?? new Map())?.type;
  const takesNone = op === 'is_set' || op === 'not_set';
  const namesTag = op === 'has_tag' || (op === 'is' && field === 'event.tag.name');
  return (
    <>
      <Operand path={`${path}.field`} />
      <OperatorField path={`${path}.op`} type={type} rulePath={path} />
      {(!takesNone || rule['value'] !== undefined) &&
        (namesTag ? (
          <TagField path={`${path}.value`} label={words.value} isTemplate />
        ) : op === 'matches' ? (
          <Pattern path={`${path}.value`} />
        ) : (
          <ValueField
            path={`${path}.value`}
            label={words.value}
            type={type}
            choices={isSystemName(field) ? undefined : fields?.get(field)?.options}
          />
        ))}
    </>
  );
};

/** What is compared: a name that is chosen or written. */
const Operand = ({ path }: { path: string }) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  const { all } = use(NamesContext);
  const [names, setNames] = useState<readonly string[]>([]);
  if (value !== undefined && typeof value !== 'string') return <Misfit path={path} label={words.field} />;
  return (
    <div data-field={path}>
      <Autocomplete
        label={words.field}
        placeholder={words.fieldHint}
        data={names.filter((name) => name !== 'contact')}
        onDropdownOpen={() => setNames(all())}
        maxDropdownHeight={240}
        comboboxProps={mountedOpen}
        value={value ?? ''}
        onChange={set}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};

type OperatorProps = { path: string; rulePath: string; type: string | undefined };

/** The operators that make sense for the type of what is compared. */
const OperatorField = ({ path, rulePath, type }: OperatorProps) => {
  const { block, setAt } = useOpenBlock();
  const fits = ({ types }: Operator): boolean => !types || type === undefined || types.includes(type);
  const options = Object.fromEntries(
    Object.entries<Operator>(operators).flatMap(([name, operator]) =>
      fits(operator) ? [[name, words.operators[name] ?? name]] : [],
    ),
  );
  const change = (op: string | undefined): void => {
    const rule = getAt(block, rulePath);
    if (!isObject(rule) || op === undefined) return;
    const { value, ...rest } = rule;
    const isAlone = op === 'is_set' || op === 'not_set';
    setAt(rulePath, { ...rest, op, ...(isAlone ? {} : { value: value ?? '' }) });
  };
  return <ChoiceField path={path} label={words.op} options={options} onChange={change} />;
};

/** A regular expression, in which no placeholder is filled in. */
const Pattern = ({ path }: { path: string }) => {
  const { value, set, problems, problemsId, described } = useAt(path);
  if (value !== undefined && typeof value !== 'string') return <Misfit path={path} label={words.pattern} />;
  return (
    <div data-field={path}>
      <TextInput
        label={words.pattern}
        value={value ?? ''}
        onChange={({ currentTarget }) => set(currentTarget.value)}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        {...described}
      />
      <FieldProblems id={problemsId} problems={problems} />
    </div>
  );
};
