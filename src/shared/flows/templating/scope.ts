import type { Json } from '../../custom-fields/values.ts';
import { ExactNumber } from '../../platform/json/exact-number.ts';
import type { Budget } from './budget.ts';
import type { Files } from './files.ts';

/**
 * Stands in a rendered text for something that is put there later, as a credential is when a request is sent. Its own letters, digits,
 * `-` and `_` mean the same in every place, so that they can be found again.
 */
export class Marker {
  readonly text: string;

  constructor(text: string) {
    if (!/^[\w-]+$/.test(text)) throw new TypeError('a marker has only letters, digits, - and _');
    this.text = text;
  }
}

/**
 * What the names in a template mean. `find` answers undefined for what is not there; dates are shown in zone and language. `budget` is what
 * everything that is rendered in it may take together; each template has its own where it is not given. `files` are those that values name.
 */
export type Scope = {
  find: (path: string) => Json | Marker | undefined;
  timeZone: string;
  language: string;
  budget?: Budget;
  files?: Files | undefined;
};

/** In which nothing has a value. */
export const emptyScope: Scope = { find: () => undefined, timeZone: 'UTC', language: 'en' };

/** A path with its indices as parts of their own: `items[0].id` is `items.0.id`. */
export const dottedPath = (path: string): string => path.replaceAll(/\[(\d{1,9})\]/g, '.$1');

/**
 * The value at a path within a value: own keys of objects, and numbers in lists. `__proto__`, `constructor` and `length` are names like
 * any other.
 */
export const findIn = (value: Json | undefined, path: readonly string[]): Json | undefined => {
  let found: Json | undefined = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || found instanceof ExactNumber) return undefined;
    if (Array.isArray(found)) found = /^\d{1,9}$/.test(name) ? found[Number(name)] : undefined;
    else found = Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
};
