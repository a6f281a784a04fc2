import { locale } from '../locale.ts';

const forms = new Intl.PluralRules(locale);
const numbers = new Intl.NumberFormat(locale);

/** The form of a text for a number of things. */
export const plural = (count: number, { one, other }: { one: string; other: string }): string =>
  forms.select(count) === 'one' ? one : other;

/** A number with separators of thousands. */
export const sayNumber = (count: number): string => numbers.format(count);
