import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { PathType } from '../../../../../shared/flows/blocks/scope.ts';
import { weekdays } from '../../../../../shared/flows/blocks/zones.ts';
import { FieldProblems } from '../problems/field-problems.tsx';
import { TemplateInput } from '../template-input.tsx';
import { Misfit } from './misfit.tsx';
import { useAt, type At, type ControlProps } from './use-at.ts';
import { words } from './words.ts';

type Props = ControlProps & {
  /** What the value is compared with, or written to; undefined where only a run knows it. */
  type: PathType | undefined;
  /** The only texts that make sense. */
  choices?: readonly string[] | null | undefined;
};

/** Controls of values that are fixed, by the type of their field: whether they can show a value, and how. */
type Fixed = {
  canShow: (value: string | number | boolean) => boolean;
  show: (at: At, props: { label: string; choices: readonly string[] }) => ReactNode;
};

/** A text, number or truth as it is typed. */
const text = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

const choose = (
  { value, set, described }: At,
  label: string,
  data: { value: string; label: string }[],
  read: (chosen: string) => unknown = (chosen) => chosen,
) => (
  <Select
    label={label}
    data={data}
    value={text(value) || null}
    onChange={(chosen) => chosen !== null && set(read(chosen))}
    allowDeselect={false}
    searchable={data.length > 8}
    {...described}
  />
);

const typedAs = (type: 'date' | 'time', form: RegExp): Fixed => ({
  canShow: (value) => form.test(String(value)),
  show: ({ value, set, described }, { label }) => (
    <TextInput
      type={type}
      label={label}
      value={text(value)}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      {...described}
    />
  ),
});

const asSelf = (each: string) => ({ value: each, label: each });

const byType: Readonly<Partial<Record<PathType, Fixed>>> = {
  number: {
    canShow: (value) => typeof value !== 'boolean' && /^(?:-?\d+(?:\.\d+)?)?$/.test(String(value)),
    show: ({ value, set, described }, { label }) => (
      <NumberInput
        label={label}
        value={text(value)}
        onChange={(typed) => set(typed === '' || typeof typed === 'number' ? typed : Number(typed))}
        {...described}
      />
    ),
  },
  boolean: {
    canShow: (value) => ['true', 'false', ''].includes(String(value)),
    show: (at, { label }) =>
      choose(
        at,
        label,
        [
          { value: 'true', label: words.yes },
          { value: 'false', label: words.no },
        ],
        (chosen) => chosen === 'true',
      ),
  },
  date: typedAs('date', /^(?:\d{4}-\d\d-\d\d)?$/),
  time: typedAs('time', /^(?:\d\d:\d\d)?$/),
  weekday: {
    canShow: (value) => ['', ...weekdays].includes(String(value)),
    show: (at, { label }) => choose(at, label, weekdays.map(asSelf)),
  },
};

const fromChoices: Fixed = {
  canShow: () => true,
  show: (at, { label, choices }) => {
    const value = text(at.value);
    const all = choices.includes(value) || value === '' ? choices : [...choices, value];
    return choose(at, label, all.map(asSelf));
  },
};

/** A value with placeholders, or a fixed one of the type of what it is for. */
export const ValueField = ({ path, label, type, choices }: Props) => {
  const at = useAt(path);
  const { value, set, problems, problemsId } = at;
  const fixed = choices && choices.length > 0 ? fromChoices : type && byType[type];
  const [isWriting, setWriting] = useState(false);
  const isPlain = value === undefined || ['string', 'number', 'boolean'].includes(typeof value);
  if (!isPlain) return <Misfit path={path} label={label} />;
  const plain = typeof value === 'number' || typeof value === 'boolean' ? value : text(value);
  const isFixed = fixed !== undefined && !isWriting && !String(plain).includes('{{') && fixed.canShow(plain);
  const change = fixed && (
    <Button
      size="compact-sm"
      variant="subtle"
      mt={2}
      onClick={() => {
        if (!isFixed && !fixed.canShow(plain)) set('');
        setWriting(isFixed);
      }}
    >
      {isFixed ? words.withPlaceholders : words.withoutPlaceholders}
    </Button>
  );
  if (isFixed)
    return (
      <div data-field={path}>
        {fixed.show(at, { label, choices: choices ?? [] })}
        {change}
        <FieldProblems id={problemsId} problems={problems} />
      </div>
    );
  return (
    <div>
      <TemplateInput label={label} path={path} place="value" value={text(value)} onChange={set} />
      {change}
    </div>
  );
};
