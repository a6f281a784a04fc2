import { operators, type Operator } from '../../../shared/contacts/operators.ts';

/** A condition on a custom field. */
export type Condition = { key: string; operator: Operator; value: string };

/** As the API and the url have it: `size:eq:M`. */
export const writeCondition = ({ key, operator, value }: Condition): string => `${key}:${operator}:${value}`;

/** The condition of a text, or undefined for a text that is none. */
export const readCondition = (text: string): Condition | undefined => {
  const [, key = '', name = '', value = ''] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? [];
  const operator = operators.find((known) => known === name);
  return operator && { key, operator, value };
};
