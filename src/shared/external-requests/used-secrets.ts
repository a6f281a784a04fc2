import { secretsOf, type OpenCredential } from '../credentials/open.ts';
import { isSecretName } from '../platform/secret-names.ts';
import type { RenderedRequest } from './render-request.ts';

/** What must be shown nowhere: credentials, and what stands in headers that carry secrets by custom. */
export const secretsToHide = (
  rendered: RenderedRequest,
  credentials: ReadonlyMap<string, OpenCredential>,
): string[] => [
  ...[...credentials.values()].flatMap(secretsOf),
  ...rendered.headers.filter(([name]) => isSecretName(name)).flatMap(([, value]) => partsOf(value)),
];

/** Shorter values of a parameter are no secret, whatever its name. */
const leastNamed = 4;

/** What must not leave the origin: the same, and parameters and fields of a form that carry secrets by custom. */
export const secretsToKeep = (
  rendered: RenderedRequest,
  credentials: ReadonlyMap<string, OpenCredential>,
): string[] => {
  const { url, body, bodyType } = rendered;
  const named = [
    ...new URLSearchParams(URL.parse(url)?.search),
    ...new URLSearchParams(bodyType === 'form' ? (body ?? '') : ''),
  ].flatMap(([name, value]) => (isSecretName(name) && value.length >= leastNamed ? [value] : []));
  return [...secretsToHide(rendered, credentials), ...named];
};

/** Of `Basic YTpi` also what follows the scheme, and what that is without base64. */
const partsOf = (value: string): string[] => {
  const [scheme = '', ...rest] = value.split(' ');
  const token = rest.join(' ').trim();
  if (token === '') return [value];
  if (scheme.toLowerCase() !== 'basic') return [value, token];
  const login = Buffer.from(token, 'base64').toString();
  const colon = login.indexOf(':');
  return [value, token, login, login.slice(colon + 1) || login.slice(0, colon)].filter((part) => part !== '');
};
