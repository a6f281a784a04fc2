const forms = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

/** The form of a text for a number of things. */
export const plural = (count: number, { one, other }: { one: string; other: string }): string =>
  forms.select(count) === 'one' ? one : other;

/** A number with separators of thousands. */
export const sayNumber = (count: number): string => numbers.format(count);
