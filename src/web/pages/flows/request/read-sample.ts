import { parseJson } from '../../../../shared/platform/json/parse-json.ts';
import type { Json } from '../../../../shared/platform/json/json.ts';

const parse = (text: string): { document: Json } | undefined => {
  try {
    return { document: parseJson(text) };
  } catch {
    return undefined;
  }
};

/** The body of an answer as JSON; undefined for what is none. Of one that was cut off what is whole is read. */
export const readSample = (body: string | null, isTruncated: boolean): { document: Json } | undefined => {
  if (body === null || body.trim() === '') return undefined;
  return parse(body) ?? (isTruncated ? parse(closeJson(body)) : undefined);
};

/** Ends JSON that was cut off: behind the last value that is whole, with the brackets that are open there. */
const closeJson = (text: string): string => {
  const open: string[] = [];
  let end = 0;
  let isIn = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isIn) {
      if (character === '\\') at += 1;
      else if (character === '"') isIn = false;
      continue;
    }
    if (character === '"') isIn = true;
    else if (character === '{' || character === '[') {
      open.push(character === '{' ? '}' : ']');
      end = at + 1;
    } else if (character === '}' || character === ']') {
      open.pop();
      end = at + 1;
    } else if (character === ',') end = at;
  }
  return text.slice(0, end) + open.toReversed().join('');
};
