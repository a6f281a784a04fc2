import { compareDecimals } from '../../../../shared/platform/json/decimals.ts';
import { ExactNumber } from '../../../../shared/platform/json/exact-number.ts';

type AnyObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object of JSON: no list, no null, no number with its digits. */
export const isPlain = (value: unknown): value is AnyObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

const isNumber = (value: unknown): value is number | ExactNumber =>
  typeof value === 'number' || value instanceof ExactNumber;

/** Whether two values say the same as JSON: names in any order, numbers in any spelling, an undefined one as one that is not there. */
export const equal = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) && one.length === other.length && one.every((value, index) => equal(value, other[index]))
    );
  if (isNumber(one)) return isNumber(other) && compareDecimals(String(one), String(other)) === 0;
  if (!isPlain(one) || !isPlain(other)) return false;
  return (
    Object.keys(one).every((key) => equal(one[key], own(other, key))) &&
    Object.keys(other).every((key) => other[key] === undefined || Object.hasOwn(one, key))
  );
};

const own = (object: AnyObject, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

/** A list as it was where it has the same items in the same order. */
export const keepList = <Item>(before: unknown, now: Item[]): Item[] =>
  Array.isArray(before) && before.length === now.length && now.every((item, index) => item === before[index])
    ? before
    : now;

/** An object as it was where it has the same values by the same names. */
export const keepObject = (before: unknown, now: AnyObject): AnyObject => {
  if (!isPlain(before)) return now;
  const keys = Object.keys(now);
  const isSame = keys.length === Object.keys(before).length && keys.every((key) => now[key] === own(before, key));
  return isSame ? before : now;
};
