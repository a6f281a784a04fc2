import { JsonInput, NumberInput, Select, TagsInput, MultiSelect, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { checkValue, type CheckedValue, type FieldDefinition } from '../../shared/custom-fields/values.ts';
import { isDouble } from '../../shared/platform/json/decimals.ts';
import { ExactNumber } from '../../shared/platform/json/exact-number.ts';
import { parseJson } from '../../shared/platform/json/parse-json.ts';
import { unreachable } from '../../shared/unreachable.ts';
import { customFieldWords } from '../words/custom-fields.ts';
import { toLocalInput } from './local-input.ts';

/** A value as inputs have it: a list of texts, or the text of anything else. */
export type TypedValue = string | string[];

export type TypedField = Pick<FieldDefinition, 'type' | 'options'>;

/** What stands in the input at first, of a value that is there. */
export const typeValue = ({ type }: TypedField, value: unknown): TypedValue => {
  if (type === 'list') return Array.isArray(value) ? value.map(String) : [];
  if (value === undefined || value === null) return '';
  if (type === 'json') return JSON.stringify(value, null, 2);
  if (typeof value !== 'string') return JSON.stringify(value);
  return type === 'datetime' && !Number.isNaN(Date.parse(value))
    ? toLocalInput(new Date(value), { withSeconds: true })
    : value;
};

/** Whether nothing is typed. */
export const isBlank = (typed: TypedValue): boolean => typed.length === 0;

/** The value of what is typed, or what is wrong with it. */
export const readTyped = (field: TypedField, typed: TypedValue): CheckedValue =>
  checkValue({ key: '', name: '', default: null, ...field }, meant(field, typed), 'UTC');

const meant = ({ type }: TypedField, typed: TypedValue): unknown => {
  if (typeof typed !== 'string') return typed;
  switch (type) {
    case 'number':
      return typed.trim() === '' ? undefined : readNumber(typed);
    case 'boolean':
      return typed === '' ? undefined : typed === 'true';
    case 'datetime': {
      const at = new Date(typed);
      return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
    }
    case 'json':
      return readJson(typed);
    case 'text':
    case 'date':
    case 'list':
      return typed;
    default:
      return unreachable(type);
  }
};

/** A number whose digits no number has is left to be refused. */
const readNumber = (text: string): number | ExactNumber => {
  const number = Number(text);
  return Number.isNaN(number) || isDouble(text.trim()) ? number : new ExactNumber(text.trim());
};

const readJson = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

type Props = {
  field: TypedField;
  label: string;
  description?: ReactNode;
  value: TypedValue;
  error?: ReactNode;
  onChange: (typed: TypedValue) => void;
  required?: boolean;
};

/** The input for a custom field's type, also with options to choose from. */
export const CustomFieldInput = ({ field: { type, options }, value, onChange, ...input }: Props) => {
  const text = typeof value === 'string' ? value : '';
  const texts = typeof value === 'string' ? [] : value;
  const ofText = {
    ...input,
    value: text,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
  };
  switch (type) {
    case 'text':
      return options === null ? (
        <Textarea {...ofText} autosize maxRows={8} />
      ) : (
        <Select
          {...input}
          data={options}
          value={text || null}
          onChange={(chosen) => onChange(chosen ?? '')}
          searchable
          clearable
        />
      );
    case 'number':
      return <NumberInput {...input} value={text} onChange={(typed) => onChange(String(typed))} />;
    case 'boolean':
      return (
        <Select
          {...input}
          data={[
            { value: 'true', label: customFieldWords.yes },
            { value: 'false', label: customFieldWords.no },
          ]}
          value={text || null}
          onChange={(chosen) => onChange(chosen ?? '')}
          clearable
        />
      );
    case 'date':
      return <TextInput {...ofText} type="date" />;
    case 'datetime':
      return <TextInput {...ofText} type="datetime-local" step={1} />;
    case 'list':
      return options === null ? (
        <TagsInput {...input} value={texts} onChange={onChange} />
      ) : (
        <MultiSelect {...input} data={options} value={texts} onChange={onChange} searchable clearable />
      );
    case 'json':
      return (
        <JsonInput
          {...input}
          // Otherwise what is no JSON is marked, and not told.
          validationError={input.error}
          value={text}
          onChange={onChange}
          autosize
          minRows={4}
          maxRows={16}
        />
      );
    default:
      return unreachable(type);
  }
};
