import { isSecret } from './proposals.ts';

/** Texts, marks, and everything else that stands between them, as in JSON with placeholders. */
const tokens = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g;

const textOf = (token: string): string | undefined => {
  try {
    const value: unknown = JSON.parse(token);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Replaces each text in a template of JSON whose key is that of a secret. `replace` is given the key and the text, and answers what stands there
 * instead.
 */
export const replaceJsonSecrets = (template: string, replace: (key: string, text: string) => string): string => {
  let replaced = '';
  let copied = 0;
  let [key, colon]: [string | undefined, boolean] = [undefined, false];
  for (const { 0: token, index } of template.matchAll(tokens)) {
    const text = token.startsWith('"') ? textOf(token) : undefined;
    if (colon && key !== undefined && text !== undefined && text !== '' && isSecret(key, text)) {
      replaced += `${template.slice(copied, index)}"${replace(key, text)}"`;
      copied = index + token.length;
    }
    colon = token === ':' && key !== undefined;
    if (!colon) key = text;
  }
  return replaced + template.slice(copied);
};
