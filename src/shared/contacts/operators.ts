import type { FieldType } from '../custom-fields/values.ts';

const comparisons = ['gt', 'gte', 'lt', 'lte'] as const;

export type Comparison = (typeof comparisons)[number];

export const operators = ['eq', 'ne', ...comparisons, 'contains', 'exists'] as const;

export type Operator = (typeof operators)[number];

const ofNumbers: readonly Operator[] = ['eq', 'ne', ...comparisons, 'exists'];

/** What may be asked of a field of each type. */
export const operatorsOf: Record<FieldType, readonly Operator[]> = {
  text: ['eq', 'ne', 'contains', 'exists'],
  number: ofNumbers,
  boolean: ['eq', 'ne', 'exists'],
  date: ofNumbers,
  datetime: ofNumbers,
  list: ['contains', 'exists'],
  json: ['exists'],
};
