import { Refusal, render, type Rendered } from './render.ts';
import type { Scope } from './scope.ts';
import { parseTemplate } from './template.ts';
import { encodeText, textOf, type Value } from './values.ts';

/** The most characters of a url. */
const maxUrl = 8_192;

/**
 * Renders a url. Scheme, host and port are the template's own; a value is percent-encoded for the segment of the path, or the part of
 * the query, that it stands in. Segments of dots alone, which mean another path, are refused.
 */
export const renderUrl = (source: string, scope: Scope): Rendered => {
  const fault = findUrlTemplateFault(source);
  if (fault) return { ok: false, problem: { code: 'invalid_url', path: null, ...fault } };
  return render(source, scope, { text: (text) => text, value: encodeValue }, (url) => {
    const message = findUrlFault(url);
    if (message === undefined) return;
    throw new Refusal({ code: url.length > maxUrl ? 'too_long' : 'invalid_url', position: 0, path: null, message });
  });
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
