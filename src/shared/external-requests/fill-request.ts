import { asSent, mayGoTo, type OpenCredential } from '../credentials/open.ts';
import { encodeForm } from '../flows/templating/render.ts';
import { isSecretName } from '../platform/secret-names.ts';
import { createSecretFinder } from './find-secret.ts';
import type { BodyType, RenderedRequest } from './render-request.ts';
import { secretsToKeep } from './used-secrets.ts';

/** One request as it goes over the wire: of a rendered one, or of a redirect from it. */
export type FilledRequest = {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** It holds a credential and is not encrypted: it goes to addresses that the operator lets through alone. */
  privateOnly: boolean;
};

/** Where the request goes now: what was rendered, or the hop that a redirect names. */
export type Target = Pick<RenderedRequest, 'method' | 'url' | 'body'> & {
  /** The url as a redirect names it, with its fragment. */
  named: string;
  /** Another origin than the one that was asked first: nothing that proves who asks goes there. */
  isForeign: boolean;
};

/** Why a request cannot be sent, in words that follow "the credential" or "the request". */
export type Unfilled = { ok: false; reason: 'credential' | 'token' | 'redirect' | 'invalid_request'; message: string };

/**
 * Puts the credentials into a request. One that is not there any more, or that is not bound to the host, keeps the request from being sent;
 * at another origin, to which a redirect led, it stays behind with every header that proves who asks. A url or a body with a secret in it does
 * not go there at all.
 */
export const fillRequest = (
  rendered: RenderedRequest,
  { method, url, named, body, isForeign }: Target,
  credentials: ReadonlyMap<string, OpenCredential>,
): { ok: true; request: FilledRequest } | Unfilled => {
  const markers = Object.entries(rendered.markers);
  const holdsMarker = (text: string): boolean => markers.some(([marker]) => text.includes(marker));
  if (isForeign) {
    const holdsSecret = createSecretFinder(secretsToKeep(rendered, credentials));
    const leaks = (text: string): boolean => holdsMarker(text) || holdsSecret(text);
    const stray = leaks(named) ? 'url' : body !== null && leaks(body) ? 'body' : undefined;
    if (stray)
      return { ok: false, reason: 'redirect', message: `its ${stray} has a secret that may not leave its origin` };
    const headers = rendered.headers.filter(([name, value]) => !isSecretName(name) && !leaks(value));
    return { ok: true, request: { method, url, headers: joined(headers, body), body, privateOnly: false } };
  }
  const used = new Set([
    ...markers.map(([, name]) => name),
    ...(rendered.credential === null ? [] : [rendered.credential]),
  ]);
  for (const name of used) {
    const problem = findProblem(credentials.get(name), { url, name });
    if (problem) return { ok: false, ...problem };
  }
  const put = (text: string, encode: (secret: string) => string): string =>
    markers.reduce(
      (filled, [marker, name]) => filled.replaceAll(marker, () => encode(credentials.get(name)?.secret ?? '')),
      text,
    );
  const headers: [string, string][] = rendered.headers.map(([name, value]) => [name, put(value, asIs)]);
  const filled = {
    url: put(url, encodeURIComponent),
    body: body === null ? null : put(body, encoders[rendered.bodyType]),
  };
  const attached = rendered.credential === null ? undefined : credentials.get(rendered.credential);
  const sent = attached && asSent(attached);
  if (sent && 'header' in sent) headers.push(sent.header);
  // A redirect within the origin has taken the parameter along, or left it out on purpose.
  const isFirst = url === rendered.url;
  const target = isFirst && sent && 'parameter' in sent ? withParameter(filled.url, sent.parameter) : filled.url;
  const to = URL.parse(target);
  if (!to || to.origin !== new URL(url).origin)
    return { ok: false, reason: 'invalid_request', message: 'a credential changes the host of its URL' };
  return {
    ok: true,
    request: {
      method,
      url: target,
      headers: joined(headers, filled.body),
      body: filled.body,
      privateOnly: used.size > 0 && to.protocol === 'http:',
    },
  };
};

const findProblem = (
  credential: OpenCredential | undefined,
  { url, name }: { url: string; name: string },
): OpenCredential['problem'] => {
  if (!credential) return { reason: 'credential', message: `there is no credential ${name}` };
  const to = new URL(url);
  if (!mayGoTo(credential, to))
    return { reason: 'credential', message: `the credential ${name} is not for ${to.hostname}` };
  const { problem } = credential;
  return problem && { ...problem, message: `the credential ${name} ${problem.message}` };
};

const asIs = (text: string): string => text;

const encoders: Readonly<Record<BodyType, (secret: string) => string>> = {
  json: (secret) => JSON.stringify(secret).slice(1, -1),
  form: encodeForm,
  raw: asIs,
  none: asIs,
};

const withParameter = (url: string, [name, value]: [string, string]): string =>
  `${url}${url.includes('?') ? '&' : '?'}${encodeForm(name)}=${encodeForm(value)}`;

/** Headers by name; the one that is set last counts. Without a body nothing says what it is. */
const joined = (headers: readonly (readonly [string, string])[], body: string | null): Record<string, string> =>
  Object.fromEntries(
    headers
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => body !== null || name !== 'content-type'),
  );
