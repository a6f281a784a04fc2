import { parseTemplate } from '../../../../../shared/flows/templating/template.ts';

/** A placeholder of a template, as it is coloured. */
export type Piece = { from: number; to: number; kind: 'known' | 'unknown' | 'broken' };

/** The placeholders of a text, those that are no placeholders yet, too. */
export const piecesOf = (text: string, isKnown: (path: string) => boolean): Piece[] => {
  if (!text.includes('{{')) return [];
  const { parts, problems } = parseTemplate(text);
  const pieces = parts.flatMap((part): Piece[] => {
    if (typeof part === 'string') return [];
    const kind = part.path === null || isKnown(part.path) ? 'known' : 'unknown';
    return [{ from: part.position, to: part.end, kind }];
  });
  for (const { position } of problems) {
    const from = text.lastIndexOf('{{', position);
    if (from < 0 || pieces.some((piece) => piece.from <= from && from < piece.to)) continue;
    const close = text.indexOf('}}', from);
    const lineEnd = text.indexOf('\n', from);
    const to = Math.min(...[close + 2, lineEnd, text.length].filter((end) => end > from + 1));
    pieces.push({ from, to, kind: 'broken' });
  }
  return pieces.toSorted((one, other) => one.from - other.from);
};
