/** The answer of a command: one JSON document for programs, and the same as text for people. */
export type Answer = {
  document: unknown;
  text: string;
  /** The command worked, but something that it looked at is wrong: exit code 1. */
  failed?: boolean;
};

/** The columns of a table by their titles: of each the field of a row, or what it says of the row. */
export type Columns<Row> = Readonly<Record<string, FieldOf<Row> | ((row: Row) => Cell)>>;

type FieldOf<Row> = { [Name in keyof Row]: Row[Name] extends Cell ? Name : never }[keyof Row];

/** Columns aligned under their titles; `none` when there is nothing to list. */
export const table = <Row>(columns: Columns<Row>, rows: readonly Row[], none = 'None.'): string => {
  if (rows.length === 0) return none;
  const titles = Object.keys(columns);
  const cellsOf = (row: Row) =>
    Object.values(columns).map((column) => printable(typeof column === 'function' ? column(row) : row[column]));
  const lines = [titles, ...rows.map(cellsOf)];
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

/** One field a line, the names aligned; fields that have no value are left out. */
export const fields = (values: Readonly<Record<string, Cell | undefined>>): string => {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  const width = Math.max(...given.map(([name]) => widthOf(name)));
  return given.map(([name, value]) => `${pad(name, width)}  ${printable(value)}`).join('\n');
};

type Cell = string | number | null;

/** A value for a terminal, without control characters: text of others must not steer it. */
export const printable = (value: unknown): string => {
  if (value === null) return '-';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
};

const widthOf = (text: string): number => Array.from(text).length;

const pad = (text: string, width: number): string => text + ' '.repeat(width - widthOf(text));
