import { isObject } from '../../../../shared/flows/raw-blocks.ts';

/** A table of templates by name, as a definition has it. */
export type Table = Readonly<Record<string, unknown>>;

const tableOf = (value: unknown): Table => (isObject(value) ? value : {});

/** Undefined for an empty table: a block then has none. */
const orNone = (entries: readonly (readonly [string, unknown])[]): Table | undefined =>
  entries.length === 0 ? undefined : Object.fromEntries(entries);

/** Writes the value of a row; a name that is not there becomes the last row. */
export const writeRow = (table: unknown, name: string, value: unknown): Table => ({ ...tableOf(table), [name]: value });

/** Renames a row, which keeps its place. A name that is there already changes nothing: nobody would want to lose that row. */
export const renameRow = (table: unknown, from: string, to: string): Table | undefined => {
  const before = tableOf(table);
  if (from === to || Object.hasOwn(before, to)) return orNone(Object.entries(before));
  return orNone(Object.entries(before).map(([name, value]) => [name === from ? to : name, value]));
};

/** Takes a row away. */
export const removeRow = (table: unknown, name: string): Table | undefined =>
  orNone(Object.entries(tableOf(table)).filter(([other]) => other !== name));

/** Whether JavaScript would move a row of this name to the front, and so away from under the cursor. */
export const jumps = (name: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(name);
