import { ExactNumber } from '../../../../shared/platform/json/exact-number.ts';

/** The most characters of a text that a tree shows. */
const mostShown = 300;

/** A value of JSON in one line: a text, number or truth as JSON writes it, and of the others how much is in them. */
export const showValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.length}]`;
  if (value instanceof ExactNumber) return String(value);
  if (typeof value === 'object' && value !== null) {
    const size = Object.keys(value).length;
    return size === 0 ? '{}' : `{${size}}`;
  }
  const json = JSON.stringify(value) ?? '';
  return json.length > mostShown ? `${json.slice(0, mostShown)}…` : json;
};
