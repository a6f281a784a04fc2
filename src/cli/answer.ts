/** The answer of a command: one JSON document for programs, and the same as text for people. */
export type Answer = {
  document: unknown;
  text: string;
  /** The command worked, but something that it looked at is wrong: exit code 1. */
  failed?: boolean;
};

/** Columns aligned under their titles; `none` when there is nothing to list. */
export const table = (titles: readonly string[], rows: readonly (readonly Cell[])[], none = 'None.'): string => {
  if (rows.length === 0) return none;
  const lines = [titles, ...rows.map((row) => row.map(printable))];
  const widths = titles.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))));
  return lines
    .map((line) =>
      line
        .map((cell, column) => pad(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

/** One field a line, the names aligned; fields that are undefined are left out. */
export const fields = (values: Readonly<Record<string, Cell | undefined>>): string => {
  const given = Object.entries(values).filter((entry): entry is [string, Cell] => entry[1] !== undefined);
  const width = Math.max(...given.map(([name]) => widthOf(name)));
  return given.map(([name, value]) => `${pad(name, width)}  ${printable(value)}`).join('\n');
};

type Cell = string | number | Date | null;

/** A value for a terminal, without control characters: text of others must not steer it. */
export const printable = (value: Cell): string => {
  if (value === null) return '-';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
};

const widthOf = (text: string): number => Array.from(text).length;

const pad = (text: string, width: number): string => text + ' '.repeat(width - widthOf(text));
