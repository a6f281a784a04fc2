import { invalid, type Problem } from '../shared/errors.ts';
import { isOfStorableSize } from '../shared/platform/json/decimals.ts';
import { ExactNumber } from '../shared/platform/json/exact-number.ts';
import { isStorable } from '../shared/platform/storable-text.ts';
import { hasMoreValues } from './has-more-values.ts';

/** The most values in a request, without keys, unless its operation declares more. Checking a hundred thousand would hold up everybody else. */
const usualMaxValues = 5_000;

/**
 * Checks what holds for every request. It has not too many values, its texts and keys are ones that PostgreSQL can hold (no NUL, no half
 * surrogate pairs), and no key is one that would be lost on the way. It walks without recursion, because a value may be nested as deeply as
 * its bytes allow.
 */
export const checkValues = (value: unknown, maxValues: number = usualMaxValues): Problem[] => {
  const problems: Problem[] = [];
  let count = 1;
  const rest: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') {
      if (!isStorable(value)) problems.push({ path, message: 'holds NUL or half a surrogate pair' });
    } else if (value instanceof ExactNumber) {
      if (!isOfStorableSize(String(value))) problems.push({ path, message: 'is a number of more than 400 digits' });
    } else if (typeof value === 'object' && value !== null) {
      count += sizeOf(value);
      if (count > maxValues) return [tooMany(maxValues)];
      for (const [key, child] of Object.entries(value)) {
        if (key === '__proto__') problems.push({ path, message: 'must not have the key __proto__' });
        if (!isStorable(key)) problems.push({ path, message: 'has a key that holds NUL or half a surrogate pair' });
        // A path as long as the nesting would make the walk quadratic.
        rest.push({ path: path === '' ? key : path.length < 500 ? `${path}.${key}` : path, value: child });
      }
    }
  }
  return problems;
};

const tooMany = (most: number): Problem => ({ path: '', message: `must hold at most ${most} values`, code: 'too_big' });

/** So many bytes are parsed without a look at them before. */
const smallBytes = 16 * 1024;

/** Refuses the JSON of a body that holds too many values before it is parsed. */
export const requireFewValues = (bytes: Buffer, maxValues: number = usualMaxValues): void => {
  if (bytes.length > smallBytes && hasMoreValues(bytes, maxValues)) throw invalid(tooMany(maxValues));
};

const sizeOf = (value: object): number => (Array.isArray(value) ? value.length : Object.keys(value).length);
