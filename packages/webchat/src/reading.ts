/** Reads answers whose form nobody has checked: what is of another type is as if it were missing. */
export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object has fields, whatever they are
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown, otherwise = ''): string => (typeof value === 'string' ? value : otherwise);

export const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export const numberOf = (value: unknown, otherwise = 0): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
