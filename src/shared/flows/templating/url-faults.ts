/** Something wrong in the template of a url, at a character of it, counted from 0. */
export type UrlFault = { position: number; message: string };

/** A template's own origin, `https://shop.example:8443`, written as it is called; undefined when it has none. */
export const originOf = (source: string): string | undefined =>
  /^https?:\/\/[^/?#\\\s@{}]+(?=[/?]|$)/i.exec(source)?.[0];

/** What no url holds. Readers of urls drop some of it and take the rest for something else. */
// oxlint-disable-next-line no-control-regex -- those are among what is refused
export const refused = /[\s\x00-\x1f\x7f\\#]/;

/** What is wrong with one character that no url holds. */
export const sayRefused = (character: string): string => {
  if (character === '\\') return 'has a backslash';
  if (character === '#') return 'has a fragment, which is never sent';
  return character === ' ' ? 'has a blank; in a url it is written %20' : 'has a blank or a control character';
};

/** What is wrong with scheme, host and port of a url, which its template writes out. */
export const findOriginFault = (source: string): UrlFault | undefined => {
  const [scheme] = /^https?:\/\//i.exec(source) ?? [];
  if (scheme === undefined) return { position: 0, message: sayScheme(source) };
  const start = scheme.length;
  const end = source.slice(start).search(/[/?#\\\s@{}]|$/) + start;
  const character = source[end] ?? '';
  if (character === '@')
    return { position: start, message: 'has a user name or password before its host; make a basic credential of them' };
  if (character === '{' || character === '}')
    return {
      position: end,
      message: 'has a placeholder or a brace in its host; scheme, host and port are written out',
    };
  if (refused.test(character)) return { position: end, message: sayRefused(character) };
  if (end === start) return { position: start, message: 'has no host after //' };
  return URL.canParse(source.slice(0, end))
    ? undefined
    : { position: start, message: 'has no host that can be called' };
};

const sayScheme = (source: string): string => {
  if (/^\s/.test(source)) return 'begins with a blank';
  if (source.startsWith('{{')) return 'begins with a placeholder; scheme, host and port are written out';
  const [, other] = /^([a-z][a-z0-9+.-]{0,30}):\/\//i.exec(source) ?? [];
  return other === undefined
    ? 'has no scheme; it begins with https:// or http://'
    : `has the scheme ${other}; only https and http are called`;
};
