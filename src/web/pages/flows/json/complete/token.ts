/** A quoted text or a bare word; `typedFrom` is where its letters begin. */
export type Token = { from: number; to: number; typedFrom: number; isQuoted: boolean };

/** The token that a position is in or at the end of, an empty one between tokens. No text of JSON reaches over a line's end. */
export const tokenAt = (text: string, pos: number): Token => {
  const lineFrom = text.slice(0, pos).lastIndexOf('\n') + 1;
  const lineEnd = text.indexOf('\n', pos);
  const line = text.slice(lineFrom, lineEnd === -1 ? text.length : lineEnd);
  const column = pos - lineFrom;
  const wordTo = pos + (/^[\w.-]*/.exec(line.slice(column))?.[0].length ?? 0);
  for (const { index, 0: quoted, 1: end } of line.matchAll(/"(?:[^"\\]|\\.)*("?)/g)) {
    if (index >= column) break;
    const to = lineFrom + index + quoted.length;
    const from = lineFrom + index;
    if (end === '') return { from, to: wordTo, typedFrom: from + 1, isQuoted: true };
    if (pos < to) return { from, to, typedFrom: from + 1, isQuoted: true };
  }
  const from = pos - (/[\w.-]*$/.exec(line.slice(0, column))?.[0].length ?? 0);
  return { from, to: wordTo, typedFrom: from, isQuoted: false };
};
