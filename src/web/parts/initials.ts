import { locale } from '../locale.ts';
import { hues, type Hue } from './kinds/hues.ts';

/** The hue of an id: always the same, and spread over all of them. */
export const hueOf = (id: string): Hue => {
  let sum = 0;
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return hues[sum % hues.length] ?? 'slate';
};

/** One or two letters that stand for somebody: of the first and last word of a name, or of the first two of an address. */
export const initialsOf = (name: string): string => {
  const [before = '', host] = name.split('@');
  const begins = before.split(/[\s._+-]+/u).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  const letters = begins.filter((one) => /\p{L}/u.test(one));
  const [first = '', ...others] = letters.length > 0 ? letters : begins;
  return (first + ((host === undefined ? others.at(-1) : others[0]) ?? '')).toLocaleUpperCase(locale);
};
