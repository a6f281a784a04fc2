import { isConnectionHeader, isHeaderName } from '../../platform/egress/connection-headers.ts';
import { isSettable } from '../blocks/check-request.ts';
import type { Findings } from './findings.ts';
import { asTemplate } from './placeholders.ts';
import type { Option } from './read-options.ts';

/** A header as it was written, with the template of its value. */
export type Header = { name: string; value: string; at: number };

/** Headers by their names in small letters. */
export type Headers = Map<string, Header>;

/** What a browser says of itself with every request. */
const browserHeader =
  /^(?:sec-.*|accept-encoding|authority|dnt|priority|upgrade-insecure-requests|te|connection|content-length)$/;

/** Reads the headers that options give: one that is written out goes before those of other options. */
export const readHeaders = (options: readonly Option[], host: string, findings: Findings): Headers => {
  const headers: Headers = new Map();
  for (const option of options) if (option.name === 'header') readHeader(headers, option, host, findings);
  for (const { name, value, at, written } of options) {
    if (name === 'user-agent' && value !== '') addDefault(headers, { name: 'User-Agent', value, at });
    if (name === 'referer') addReferer(headers, { written, value, at }, findings);
    if (name === 'json') {
      addDefault(headers, { name: 'Content-Type', value: 'application/json', at });
      addDefault(headers, { name: 'Accept', value: 'application/json', at });
    }
    if (name === 'cookie') addCookies(headers, { written, value, at }, findings);
  }
  return headers;
};

const addDefault = (headers: Headers, { name, value, at }: Header): void => {
  if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), { name, value: asTemplate(value), at });
};

type Written = Pick<Option, 'written' | 'value' | 'at'>;

const addReferer = (headers: Headers, { written, value, at }: Written, findings: Findings): void => {
  const [, referer = '', auto] = /^([^]*?)(;auto)?$/.exec(value) ?? [];
  if (auto !== undefined) findings.note(written, 'has ;auto, which is not taken over');
  if (referer !== '') addDefault(headers, { name: 'Referer', value: referer, at });
};

const addCookies = (headers: Headers, { written, value, at }: Written, findings: Findings): void => {
  if (!value.includes('='))
    return findings.problem(
      at,
      `has ${written} with a file of cookies, which is not here: write the cookies out, as name=value`,
    );
  return add(headers, { name: 'Cookie', value: asTemplate(value.trim()), at });
};

const add = (headers: Headers, header: Header): void => {
  const key = header.name.toLowerCase();
  const known = headers.get(key);
  const value = known ? `${known.value}${key === 'cookie' ? '; ' : ', '}${header.value}` : header.value;
  headers.set(key, { ...(known ?? header), value });
};

const readHeader = (headers: Headers, { value: text, written, at }: Option, host: string, findings: Findings): void => {
  if (text.startsWith('@'))
    return findings.problem(at, `has ${written} with a file, which is not here: write its headers out`);
  // Of the headers that Chrome shows, those with a colon before their name belong to HTTP/2.
  if (text.startsWith(':')) return undefined;
  const colon = text.indexOf(':');
  const isEmptied = colon < 0 && text.endsWith(';');
  const name = (isEmptied ? text.slice(0, -1) : text.slice(0, Math.max(0, colon))).trim();
  const value = isEmptied ? '' : text.slice(colon + 1).trim();
  const shown = isHeaderName(name) ? `${written} ${name}` : written;
  if (colon < 0 && !isEmptied) return findings.note(written, 'is left out: a header is written as Name: value');
  if (!isHeaderName(name)) return findings.problem(at, `has ${written} with what can be no name of a header`);
  if (!isEmptied && value === '')
    return findings.note(shown, 'has no value and is left out: add ; instead of : to send it empty');
  const key = name.toLowerCase();
  if (key === 'host')
    return value.replace(/:\d+$/, '').toLowerCase() === host
      ? undefined
      : findings.note(shown, 'is left out: the host is always that of the url');
  if (browserHeader.test(key))
    return key === 'content-length'
      ? undefined
      : findings.note('-H', 'leaves out headers that browsers add by themselves');
  if (isConnectionHeader(name) || !isSettable(name))
    return findings.note(shown, 'is left out: the service itself sets it');
  if (headers.has(key) && key !== 'cookie')
    findings.note(shown, 'is there more than once: its values are joined by commas');
  return add(headers, { name, value: asTemplate(value), at });
};
