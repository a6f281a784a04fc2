import type { Problem } from '../shared/errors.ts';

/**
 * Texts that PostgreSQL cannot hold, keys included: NUL and half surrogate pairs; and the key that would be lost on the way
 * there. Walks without recursion, for the value may be nested as deeply as its bytes allow.
 */
export const findUnstorableText = (value: unknown): Problem[] => {
  const problems: Problem[] = [];
  const rest: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { path, value } = next;
    if (typeof value === 'string') {
      if (!isStorable(value)) problems.push({ path, message: 'holds NUL or half a surrogate pair' });
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, child] of Object.entries(value)) {
        if (key === '__proto__') problems.push({ path, message: 'must not have the key __proto__' });
        if (!isStorable(key)) problems.push({ path, message: 'has a key that holds NUL or half a surrogate pair' });
        // A path as long as the nesting is deep would make the walk quadratic.
        rest.push({ path: path === '' ? key : path.length < 500 ? `${path}.${key}` : path, value: child });
      }
    }
  }
  return problems.slice(0, 100);
};

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();
