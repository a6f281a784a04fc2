import type { Json } from '../../custom-fields/values.ts';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import type { Marker } from './scope.ts';

/**
 * A value on its way into a template. `raw` is what the filter that it names has encoded already: in its own place it goes in as it is,
 * everywhere else as a text.
 */
export type Value =
  | { type: 'json'; value: Json | undefined }
  | { type: 'raw'; text: string; by: 'json' | 'urlencode' }
  | { type: 'marker'; marker: Marker };

/** Whether there is nothing to show: not set, null or an empty text. */
export const isEmpty = (value: Value): boolean => value.type === 'json' && (value.value ?? '') === '';

/** The value as text: lists of texts and numbers are joined by commas, and objects are JSON. */
export const textOf = (value: Value): string => {
  if (value.type === 'raw') return value.text;
  return value.type === 'marker' ? value.marker.text : textOfJson(value.value);
};

/** A value of JSON as text; nothing for what is not there. */
export const textOfJson = (value: Json | undefined): string => {
  if (value === undefined || value === null) return '';
  if (isScalar(value)) return String(value);
  const isFlat = Array.isArray(value) && value.every(isScalar);
  return isFlat ? value.join(', ') : stringify(value);
};

/** Whether a value is a text, a number or a truth, which are read as they are. */
export const isScalar = (value: Json): value is string | number | boolean | ExactNumber =>
  typeof value !== 'object' || value instanceof ExactNumber;

/** JSON of a value. An object that many placeholders name is written once. Throws `TooDeep`. */
export const stringify = (value: Json): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const text = written.get(value) ?? write(value);
  written.set(value, text);
  return text;
};

/** A value is nested so deeply that writing it would overflow the stack. */
export class TooDeep extends Error {}

const write = (value: object): string => {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new TooDeep('a value is nested too deeply', { cause });
  }
};

const written = new WeakMap<object, string>();

/** Percent-encoded, so that it is one segment of a path or one value of a query; half a surrogate pair becomes U+FFFD. */
export const encodeText = (text: string): string => encodeURIComponent(text.toWellFormed());
