import type { Findings } from './findings.ts';
import type { Header } from './headers.ts';
import { asTemplate, namesIn, splitOnce } from './placeholders.ts';
import type { Secret } from './proposals.ts';
import type { Option } from './read-options.ts';

/** Who asks, and where the text says so. */
export type Auth = { secret: Secret; option: string };

/** What of a text says who asks: the header goes before `-u`, as curl has it, and both before what the url says. */
export const readAuth = (
  { header, options, urlUser }: { header: Header | undefined; options: readonly Option[]; urlUser: string | undefined },
  findings: Findings,
): Auth | undefined => {
  const user = options.findLast(({ name }) => name === 'user');
  const bearer = options.findLast(({ name }) => name === 'oauth2-bearer');
  if (header) {
    for (const { written } of [user, bearer].filter((option) => option !== undefined))
      findings.note(written, 'is left out: the header Authorization says who asks');
    return { secret: secretOfHeader(header.value), option: '-H Authorization' };
  }
  if (bearer) return { secret: { type: 'bearer', token: bearer.value.trim() }, option: bearer.written };
  if (user) return { secret: ofUser(splitOnce(asTemplate(user.value), ':')), option: user.written };
  if (urlUser === undefined) return undefined;
  const [name, password] = splitOnce(urlUser, ':');
  return { secret: ofUser([decode(name), password === undefined ? '' : decode(password)]), option: 'url' };
};

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Without a colon curl asks for the password. An empty user name is sent as it is, and no basic credential can have that. */
const ofUser = ([username, password]: [string, string | undefined]): Secret =>
  username === '' && password !== undefined && namesIn(password).length === 0
    ? ofAuthorization(`Basic ${encodeBase64(`:${password}`)}`)
    : { type: 'basic', username, password };

const ofAuthorization = (value: string): Secret => ({ type: 'header', header: 'Authorization', value });

/** The secret that the value of a header Authorization has. */
export const secretOfHeader = (value: string): Secret => {
  const [, scheme = '', credentials = ''] = /^(\S{1,40})\s+(\S[^]*)$/.exec(value) ?? [];
  if (/^bearer$/i.test(scheme)) return { type: 'bearer', token: credentials };
  const [username, password] = /^basic$/i.test(scheme) ? splitOnce(decodeBase64(credentials), ':') : ['', undefined];
  return username !== '' && password !== undefined ? { type: 'basic', username, password } : ofAuthorization(value);
};

const encodeBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

/** The text that is encoded; empty for what is none. */
const decodeBase64 = (encoded: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(encoded), (unit) => unit.charCodeAt(0)),
    );
  } catch {
    return '';
  }
};
