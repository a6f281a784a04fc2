import { encodeForm } from '../templating/render.ts';
import { parseTemplate, placeholdersOf, readPlaceholder } from '../templating/template.ts';

/** A template that writes two braces. */
const bracesThemselves = '{{"{{"}}';

/** A text as a template of it: placeholders stay, and other double braces are written as what they are. */
export const asTemplate = (text: string): string => {
  let template = '';
  let position = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', position)) {
    const read = readPlaceholder(text, open);
    const isPlaceholder = !('message' in read);
    template += text.slice(position, open) + (isPlaceholder ? text.slice(open, read.end) : bracesThemselves);
    position = isPlaceholder ? read.end : open + 2;
  }
  return template + text.slice(position);
};

/** Changes what stands between the placeholders of a template. */
export const mapText = (template: string, change: (text: string) => string): string =>
  parseTemplate(template)
    .parts.map((part) => (typeof part === 'string' ? change(part) : template.slice(part.position, part.end)))
    .join('');

/** Splits a template at each separator that stands in no placeholder. */
export const splitTemplate = (template: string, separator: string): string[] => {
  const pieces: string[] = [];
  let piece = '';
  for (const part of parseTemplate(template).parts) {
    if (typeof part !== 'string') piece += template.slice(part.position, part.end);
    else
      for (const [index, text] of part.split(separator).entries()) {
        if (index > 0) {
          pieces.push(piece);
          piece = '';
        }
        piece += text;
      }
  }
  return [...pieces, piece];
};

/** Splits a template at the first separator that stands in no placeholder; `rest` is undefined where there is none. */
export const splitOnce = (template: string, separator: string): [first: string, rest: string | undefined] => {
  const [first = '', ...rest] = splitTemplate(template, separator);
  return [first, rest.length === 0 ? undefined : rest.join(separator)];
};

/** A template whose own text is encoded as a value of a form or a query. */
export const encodeTemplate = (template: string): string => mapText(template, encodeForm);

/** The template of a percent-encoded value. A `%` that begins no code stays one. */
export const decodeTemplate = (template: string): string => asTemplate(mapText(template, decode));

const decode = (text: string): string => {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return [...new URLSearchParams(`x=${text.replaceAll('&', '%26')}`)][0]?.[1] ?? spaced;
  }
};

/** The names of the placeholders of a template. */
export const namesIn = (template: string): string[] =>
  placeholdersOf(parseTemplate(template)).flatMap(({ path }) => path ?? []);
