/** Quotes as word processors set them. */
const curlyQuote = /[\u2018-\u201f\u00ab\u00bb\u2039\u203a]/;

const explainQuote = (source: string, position: number): string | undefined => {
  const quote = source[position] ?? '';
  return curlyQuote.test(quote) ? `has the curly quote ${quote}, where " or ' is needed` : undefined;
};

/** What is wrong where a placeholder should begin with a name or a quoted text. */
export const explainBeginning = (source: string, position: number): string =>
  explainQuote(source, position) ??
  (source[position] === '{' ? 'has a brace too many: a placeholder begins with two' : 'has no name after {{');

/** What is wrong where the argument of a filter should be, if that is plain to see. */
export const explainArgument = (source: string, position: number): string | undefined => explainQuote(source, position);

const word = /[\p{L}\p{N}_-]{1,64}/uy;

/** What is wrong where a placeholder should end. `name`: what was read so far, if it is a name alone. */
export const explainEnd = (source: string, position: number, { name }: { name: string | undefined }): string => {
  word.lastIndex = position;
  const [next] = word.exec(source) ?? [];
  if (name !== undefined && next !== undefined && name.length <= 64)
    return `has a blank in its name, and names have none: {{${name}_${next}}} perhaps`;
  return explainQuote(source, position) ?? 'is not closed by }} or has something else before it';
};
