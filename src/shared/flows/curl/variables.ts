import type { Findings } from './findings.ts';

/** The name in small letters with underscores, as keys of fields are: `orderId` and `ORDER_ID` are `order_id`. */
export const snakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();

/** The placeholder that stands for a variable of a shell, or for what a command would write. */
export const placeholderFor = (name: string, written: string, findings: Findings): string => {
  const key = snakeCase(name);
  findings.variables.set(key, written);
  return `{{${key}}}`;
};
