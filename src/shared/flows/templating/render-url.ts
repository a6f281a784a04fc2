import { Refusal, render, type Rendered, type Span } from './render.ts';
import type { Scope } from './scope.ts';
import { parseTemplate, type Placeholder } from './template.ts';
import { findOriginFault, originOf, refused, sayRefused, type UrlFault } from './url-faults.ts';
import { encodeText, textOf, type Value } from './values.ts';

/** The most characters of a url. */
const maxUrl = 8_192;

type UrlOptions = {
  /** A part of the path may become empty, as it could before blocks of this kind had the meaning 2. */
  takesEmptyParts?: boolean;
};

/**
 * Renders a url. Scheme, host and port are the template's own; a value is percent-encoded for the segment of the path, or the part of
 * the query, that it stands in. Two things mean another path and are refused: a segment of dots alone, and one that is empty because its
 * values are, unless `|default:""` says that it may be.
 */
export const renderUrl = (source: string, scope: Scope, { takesEmptyParts = false }: UrlOptions = {}): Rendered => {
  const fault = findUrlTemplateFault(source);
  if (fault) return { ok: false, problem: { code: 'invalid_url', path: null, ...fault } };
  return render(source, scope, { text: (text) => text, value: encodeValue }, (url, spans) => {
    const message = findUrlFault(url);
    if (message !== undefined)
      throw new Refusal({ code: url.length > maxUrl ? 'too_long' : 'invalid_url', position: 0, path: null, message });
    const empty = takesEmptyParts ? undefined : findEmptyPart(url, spans);
    if (empty) throw new Refusal({ code: 'invalid_url', ...empty, message: emptyPart });
  });
};

const emptyPart = 'leaves a part of the path empty, which means another path; add |default:"" if that is meant';

/** The placeholder whose empty value leaves a segment of the path empty. */
const findEmptyPart = (url: string, spans: readonly Span[]): Placeholder | undefined => {
  const query = url.indexOf('?');
  const pathEnds = query < 0 ? url.length : query;
  return spans.find(({ start, end, placeholder: { filters } }) => {
    const isEmpty = start === end && end <= pathEnds && url[start - 1] === '/' && '/?'.includes(url[end] ?? '');
    return isEmpty && !filters.some(({ name, argument }) => name === 'default' && argument === '');
  })?.placeholder;
};

/** What is wrong with the template of a url before anything is rendered, and where; undefined when nothing is. */
export const findUrlTemplateFault = (source: string): UrlFault | undefined => {
  const { parts } = parseTemplate(source);
  const fault = findOriginFault(source);
  if (fault) return fault;
  let position = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      const wrong = part.search(refused);
      if (wrong >= 0) return { position: position + wrong, message: sayRefused(part[wrong] ?? '') };
      const dots = (index === parts.length - 1 ? dotsAtEnd : dotsWithin).exec(part);
      if (dots && !source.slice(0, position + dots.index).includes('?'))
        return { position: position + dots.index + 1, message: onlyDots };
      position += part.length;
    } else position = part.end;
  }
  return undefined;
};

const onlyDots = 'has a part of its path that is only dots, which means another path';

/** Segments of dots alone that are followed by another, and those that also end a url. */
const dotsWithin = /\/(?:\.|%2e){1,2}(?=[/?])/i;
const dotsAtEnd = /\/(?:\.|%2e){1,2}(?=[/?]|$)/i;

const encodeValue = (value: Value): string =>
  value.type === 'raw' && value.by === 'urlencode' ? value.text : encodeText(textOf(value));

const findUrlFault = (url: string): string | undefined => {
  if (url.length > maxUrl) return `becomes longer than ${maxUrl} characters`;
  const [path = ''] = url.slice(originOf(url)?.length).split('?', 1);
  const isElsewhere = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  return isElsewhere ? onlyDots : undefined;
};
