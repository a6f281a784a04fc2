import { originOf } from '../templating/url-faults.ts';
import type { Findings } from './findings.ts';
import { asTemplate, encodeTemplate, mapText, splitOnce, splitTemplate } from './placeholders.ts';
import { snakeCase } from './variables.ts';
import type { Word } from './words.ts';

/** An address as a block has it, without its user and its parameters. Those stay as they are written. */
export type ReadUrl = { base: string; parameters: string[]; user: string | undefined; host: string };

type UrlOptions = { globs: boolean; keepsDots: boolean };

/** Reads an address as curl does, but by https where it says no scheme, and with `{name}` as a placeholder. */
export const readUrl = (
  { text, at }: Word,
  { globs, keepsDots }: UrlOptions,
  findings: Findings,
): ReadUrl | undefined => {
  const written = asTemplate(text.trim());
  const whole = withScheme(globs ? mapText(written, (part) => expandGlobs(part, findings)) : written, findings);
  const [url, fragment] = splitOnce(whole, '#');
  if (fragment !== undefined) findings.note('#', 'begins a fragment, which is left out: it is never sent');
  const [start, query] = splitOnce(url, '?');
  const [scheme = ''] = /^https?:\/\//i.exec(start) ?? [];
  const [authority = '', ...path] = start.slice(scheme.length).split('/');
  const hostAt = authority.lastIndexOf('@') + 1;
  const base = encodeRefused(`${scheme.toLowerCase()}${[authority.slice(hostAt), ...path].join('/')}`);
  const origin = originOf(base);
  if (origin === undefined) {
    findings.problem(at, sayOrigin(whole));
    return undefined;
  }
  const after = base.slice(origin.length);
  return {
    base: origin + (keepsDots ? after : withoutDots(after)),
    parameters: query === undefined || query === '' ? [] : splitTemplate(encodeRefused(query), '&'),
    user: hostAt === 0 ? undefined : authority.slice(0, hostAt - 1),
    host: URL.parse(origin)?.hostname ?? '',
  };
};

const sayOrigin = (url: string): string => {
  const [, scheme] = /^([a-z][a-z\d+.-]{0,30}):\/\//i.exec(url) ?? [];
  if (scheme !== undefined && !/^https?$/i.test(scheme))
    return `has a url with ${scheme}://: only https and http are called`;
  if (/^(?:https?:\/\/)?[^/?]*\{\{/i.test(url))
    return 'has a variable in the host: write out scheme and host, such as https://api.example.com';
  return 'has no url that can be called, such as https://api.example.com/orders';
};

const withScheme = (url: string, findings: Findings): string => {
  if (/^[a-z][a-z\d+.-]{0,30}:\/\//i.test(url) || url.startsWith('{{')) return url;
  const isHere = /^(?:localhost|127\.[\d.]+|\[::1\])(?=[:/?#]|$)/i.test(url);
  findings.note('url', `has no scheme, so it is called by ${isHere ? 'http' : 'https'}`);
  return `${isHere ? 'http' : 'https'}://${url}`;
};

const globForm = /\{([^{}]{0,500})\}|\[(?:(\d{1,20})-\d{1,20}|([A-Za-z])-[A-Za-z])(?::\d{1,9})?\]/g;

/** Of several addresses that curl would call the first is taken. Documents write `{order_id}` for what is to be filled in. */
const expandGlobs = (text: string, findings: Findings): string =>
  text.replace(globForm, (written: string, list: string | undefined, number?: string, letter?: string) => {
    if (list !== undefined && /^[A-Za-z_][\w-]{0,63}$/.test(list)) {
      const name = snakeCase(list);
      findings.variables.set(name, written);
      return `{{${name}}}`;
    }
    findings.note('url', `has ${written.slice(0, 40)}, which makes curl call several urls: the first is taken`);
    return list === undefined ? (number ?? letter ?? '') : (list.split(',')[0] ?? '');
  });

/** Percent-encodes the characters that no url has. */
export const encodeRefused = (template: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are among what is encoded
  mapText(template, (text) => text.replace(/[\s\x00-\x1f\x7f\\#]/g, encodeURIComponent));

/** The path without segments of dots, which curl resolves before it sends. */
const withoutDots = (path: string): string => {
  const kept: string[] = [];
  const segments = splitTemplate(path, '/');
  for (const [index, segment] of segments.entries()) {
    const isDots = /^(?:\.|%2e){1,2}$/i.test(segment);
    if (!isDots) kept.push(segment);
    if (isDots && segment.replaceAll(/%2e/gi, '.') === '..' && kept.length > 1) kept.pop();
    if (isDots && index === segments.length - 1) kept.push('');
  }
  return kept.join('/');
};

/** A parameter of `--url-query`, or data that is encoded: all forms of `--data-urlencode` but those that read a file. */
export const encodeData = (value: string): string => {
  const equals = value.indexOf('=');
  const name = equals < 0 ? '' : value.slice(0, equals);
  return (name === '' ? '' : `${asTemplate(name)}=`) + encodeTemplate(asTemplate(value.slice(equals + 1)));
};

/** Whether `--data-urlencode` would read a file for this value. */
export const readsFile = (value: string): boolean => value.includes('@') && !value.includes('=');
