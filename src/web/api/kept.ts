import { parseOrNothing } from '../../shared/platform/json/parse-or-nothing.ts';

/** What this tab keeps of a user over a reload and a session that ends by itself, by name. Signing out takes it along. */
const nameOf = (name: string): string => `parley-kept:${name}`;

type Kept = { userId: string; value: unknown };

const isKept = (read: unknown): read is Kept =>
  typeof read === 'object' && read !== null && 'userId' in read && 'value' in read;

/** Keeps a value of JSON, or nothing any more. A browser that keeps nothing, or has no room, loses it with the page. */
export const keep = (name: string, kept: Kept | undefined): void => {
  try {
    if (kept) sessionStorage.setItem(nameOf(name), JSON.stringify(kept));
    else sessionStorage.removeItem(nameOf(name));
  } catch {
    // It is in the page as long as that is open.
  }
};

/** What was kept of this user. */
export const readKept = (name: string, userId: string): unknown => {
  try {
    const read = parseOrNothing(sessionStorage.getItem(nameOf(name)) ?? '');
    return isKept(read) && read.userId === userId ? read.value : undefined;
  } catch {
    return undefined;
  }
};

/** Forgets what was kept of everybody, or of everybody but one user. */
export const forgetKept = (exceptOf?: string): void => {
  const isTheirs = (key: string): boolean => {
    const read = parseOrNothing(sessionStorage.getItem(key) ?? '');
    return isKept(read) && read.userId === exceptOf;
  };
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(nameOf('')) && !isTheirs(key)) sessionStorage.removeItem(key);
  } catch {
    // Nothing is kept.
  }
};
