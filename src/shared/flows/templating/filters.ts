import type { Json } from '../../custom-fields/values.ts';
import { formatDate } from './dates.ts';
import { encodeText, isEmpty, stringify, textOf, type Value } from './values.ts';
import type { Scope } from './scope.ts';

/** What a filter makes of a value. `argument` says whether it takes one, and what must be there. */
type Filter = {
  argument: 'none' | 'any' | 'text';
  /** What it takes beside what it makes, in units of a budget; those of a character of its argument. */
  units?: { once: number; each: number };
  apply: (value: Value, argument: Json | undefined, scope: Scope) => Value;
};

const onText = (change: (text: string) => string): Filter => ({
  argument: 'none',
  apply: (value) => ({ type: 'json', value: change(textOf(value)) }),
});

const filters = {
  /** Stands for a value that is not set, null or an empty text. */
  default: {
    argument: 'any',
    apply: (value, argument) => (isEmpty(value) ? { type: 'json', value: argument } : value),
  },
  json: {
    argument: 'none',
    apply: (value) => ({ type: 'raw', text: jsonOf(value), by: 'json' }),
  },
  urlencode: {
    argument: 'none',
    apply: (value) => ({ type: 'raw', text: encodeText(textOf(value)), by: 'urlencode' }),
  },
  lower: onText((text) => text.toLowerCase()),
  upper: onText((text) => text.toUpperCase()),
  trim: onText((text) => text.trim()),
  /** What is no date has no text, so that a default can follow. */
  date: {
    argument: 'text',
    units: { once: 5_000, each: 100 },
    apply: (value, argument, scope) => ({
      type: 'json',
      value: formatDate(textOf(value), typeof argument === 'string' ? argument : '', scope),
    }),
  },
} as const satisfies Record<string, Filter>;

export type FilterName = keyof typeof filters;

export const filterNames: readonly string[] = Object.keys(filters);

export const isFilterName = (name: string): name is FilterName => filterNames.includes(name);

/** What is wrong with the argument of a filter; undefined when nothing is. */
export const findArgumentFault = (name: FilterName, argument: Json | undefined): string | undefined => {
  const takes: Filter['argument'] = filters[name].argument;
  if (takes === 'none') return argument === undefined ? undefined : `has an argument for ${name}, which takes none`;
  if (argument === undefined) return `needs a quoted text after ${name}:`;
  return takes === 'text' && typeof argument !== 'string' ? `needs a quoted text after ${name}:` : undefined;
};

/** What a filter takes beside what it makes, in units of a budget. */
export const unitsOfFilter = ({ name, argument }: { name: FilterName; argument: Json | undefined }): number => {
  const { units = { once: 100, each: 0 } }: Filter = filters[name];
  return units.once + units.each * (typeof argument === 'string' ? argument.length : 0);
};

/** The value after a filter. What stands for something unknown yet stays as it is. */
export const applyFilter = (
  { name, argument }: { name: FilterName; argument: Json | undefined },
  value: Value,
  scope: Scope,
): Value => {
  const filter: Filter = filters[name];
  return value.type === 'marker' ? value : filter.apply(value, argument, scope);
};

const jsonOf = (value: Value): string => {
  if (value.type === 'raw') return value.by === 'json' ? value.text : JSON.stringify(value.text);
  return value.type === 'marker' ? '' : stringify(value.value ?? null);
};
