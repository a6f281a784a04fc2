/** Texts, marks, and everything else that stands between them. */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * JSON with a line for each value; undefined for what is not JSON. Numbers keep all of their digits, and names that stand twice stay: reading it as
 * values would change both.
 */
export const formatJson = (text: string): string | undefined => {
  if (!isJson(text)) return undefined;
  let [formatted, depth, before] = ['', 0, ''];
  for (const [token] of text.matchAll(tokens)) {
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    const isFirst = before === '{' || before === '[';
    if (isFirst ? !closes : closes || before === ',') formatted += `\n${'  '.repeat(depth)}`;
    formatted += token === ':' ? ': ' : show(token);
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return formatted;
};

/** A text in its shortest spelling: many services escape what need not be. */
const show = (token: string): string => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token);
