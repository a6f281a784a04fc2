import { toStorable } from './storable-text.ts';

/**
 * The same JSON with U+FFFD wherever a text or key has something that PostgreSQL cannot hold. It walks without recursion, because a value may be
 * nested as deeply as its bytes allow, and changes what it gets.
 */
export const repairTexts = <Value>(value: Value): Value => {
  const root = { value };
  const rest: object[] = [root];
  for (let next = rest.pop(); next; next = rest.pop()) {
    for (const [key, child] of Object.entries(next)) {
      const name = toStorable(key);
      if (name !== key) Reflect.deleteProperty(next, key);
      const repaired = typeof child === 'string' ? toStorable(child) : child;
      if (name !== key || repaired !== child) Object.defineProperty(next, name, { ...asData, value: repaired });
      if (typeof child === 'object' && child !== null) rest.push(child);
    }
  }
  return root.value;
};

const asData = { configurable: true, enumerable: true, writable: true };
