/** Says whether an aim was reached. Scripts read the first word. */
export const aim = (reached: boolean, text: string): string => `  ${reached ? 'reached' : 'MISSED '}  ${text}`;

/** Milliseconds to a tenth. Empty when nothing was measured. */
export const ms = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(1));

/** Events of a history. Runs that ended as they began have none when the machine is busy. */
export const sayEvents = (events: number): string => (Number.isNaN(events) ? 'none' : String(events));

/** A table with columns as wide as their widest cell. The first column is flush left, the others right. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('   ')
      .replace(/^/, '  ')
      .trimEnd(),
  );
};
