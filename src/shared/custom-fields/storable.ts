import { isOfStorableSize } from '../platform/json/decimals.ts';
import { ExactNumber } from '../platform/json/exact-number.ts';
import type { Json } from '../platform/json/json.ts';
import { isStorable } from '../platform/storable-text.ts';

/** The deepest nesting, and the most values, of what is stored as JSON. */
const limits = { depth: 50, values: 5_000 };

/**
 * Whether a value of any origin is JSON that can be stored and read again as it was: its texts and keys are storable, no key is lost on
 * the way, and it is neither too deep nor too much. Walks without recursion.
 */
export const isStorableJson = (value: unknown): value is Json => {
  let count = 0;
  const rest = [{ part: value, depth: 0 }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { part, depth } = next;
    count += 1;
    if (depth > limits.depth || count > limits.values || !isPart(part)) return false;
    if (typeof part !== 'object' || part === null) continue;
    for (const inner of Object.values(part)) rest.push({ part: inner, depth: depth + 1 });
  }
  return true;
};

const isPart = (part: unknown): boolean => {
  if (typeof part === 'string') return isStorable(part);
  if (typeof part === 'number') return Number.isFinite(part);
  if (part instanceof ExactNumber) return isOfStorableSize(String(part));
  if (typeof part !== 'object' || part === null) return typeof part === 'boolean' || part === null;
  return isPlain(part) && Object.keys(part).every((key) => key !== '__proto__' && isStorable(key));
};

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
};
