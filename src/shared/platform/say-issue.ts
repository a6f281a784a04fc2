import type { z } from 'zod';
import { unreachable } from '../unreachable.ts';
import { ExactNumber } from './json/exact-number.ts';

const expected: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const formats: Record<string, string> = {
  email: 'an e-mail address',
  url: 'a url',
  datetime: 'an ISO 8601 timestamp',
};

const units: Record<string, string> = { array: 'item', string: 'character', object: 'field' };

const tooManyDigits = 'has more digits than a number can hold';

/** "at least 1 item", "at most 200". */
const bound = (words: string, limit: number | bigint, origin: string): string => {
  const unit = units[origin];
  return unit === undefined
    ? `must be ${words} ${limit}`
    : `must have ${words} ${limit} ${unit}${limit === 1 ? '' : 's'}`;
};

const oneOf = (values: readonly unknown[]): string =>
  `must be ${values.map((value) => JSON.stringify(value)).join(' or ')}`;

/** The kinds of problems, for programs. `invalid` is one that only its message tells. */
export const problemCodes = [
  'required',
  'unknown_field',
  'invalid_type',
  'invalid_format',
  'invalid_value',
  'too_small',
  'too_big',
  'invalid',
] as const;

/** The kind of an issue. One that does not report its input is never `required`. */
export const codeOfIssue = (issue: z.core.$ZodIssue): (typeof problemCodes)[number] => {
  if ('input' in issue && issue.input === undefined) return 'required';
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_format':
    case 'too_small':
    case 'too_big':
      return issue.code;
    case 'invalid_value':
    case 'invalid_union':
    case 'not_multiple_of':
      return 'invalid_value';
    case 'unrecognized_keys':
      return 'unknown_field';
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'invalid';
    default:
      return unreachable(issue);
  }
};

/** What is wrong with a value, in words that follow its name; undefined leaves the schema's own. The value is not repeated. */
export const sayIssue = (issue: z.core.$ZodRawIssue): string | undefined => {
  if (issue.input === undefined) return 'is required';
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input instanceof ExactNumber && (issue.expected === 'number' || issue.expected === 'int'))
        return tooManyDigits;
      if (issue.input instanceof ExactNumber && issue.expected === 'string')
        return 'must be a string: put it in quotes';
      return `must be ${expected[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return bound('at least', issue.minimum, issue.origin);
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin);
    case 'invalid_format':
      return formats[issue.format] === undefined ? undefined : `must be ${formats[issue.format]}`;
    case 'invalid_value':
      return oneOf(issue.values);
    // Of objects that differ by one field, `options` are its values.
    case 'invalid_union':
      return Array.isArray(issue['options']) ? oneOf(issue['options']) : undefined;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return undefined;
    default:
      return unreachable(issue);
  }
};
