import { Refusal, render, type Rendered, type Span } from './render.ts';
import type { Scope } from './scope.ts';
import { parseTemplate, type Placeholder } from './template.ts';
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

/** A template's own origin, `https://shop.example:8443`, written as it is called; undefined when it has none. */
export const originOf = (source: string): string | undefined =>
  /^https?:\/\/[^/?#\\\s@{}]+(?=[/?]|$)/i.exec(source)?.[0];

/** What is wrong with the template of a url before anything is rendered; undefined when nothing is. */
export const findUrlTemplateFault = (source: string): { position: number; message: string } | undefined => {
  const origin = originOf(source);
  if (origin === undefined || !URL.canParse(origin))
    return { position: 0, message: 'must begin with http:// or https:// and a host, without placeholders in them' };
  let position = 0;
  for (const part of parseTemplate(source).parts) {
    if (typeof part === 'string') {
      // oxlint-disable-next-line no-control-regex -- readers of urls drop some of them and take others for a slash
      const wrong = part.search(/[\s\x00-\x1f\x7f\\#]/);
      if (wrong >= 0)
        return { position: position + wrong, message: 'has a blank, a control character, a backslash or a fragment' };
      position += part.length;
    } else position = part.end;
  }
  return undefined;
};

const encodeValue = (value: Value): string =>
  value.type === 'raw' && value.by === 'urlencode' ? value.text : encodeText(textOf(value));

const findUrlFault = (url: string): string | undefined => {
  if (url.length > maxUrl) return `becomes longer than ${maxUrl} characters`;
  const [path = ''] = url.slice(originOf(url)?.length).split('?', 1);
  const isElsewhere = path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  return isElsewhere ? 'has a part of its path that is only dots, which means another path' : undefined;
};
