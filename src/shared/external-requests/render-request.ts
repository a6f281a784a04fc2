import { bodyTypeOf, isSettable, maxCredentials } from '../flows/blocks/check-request.ts';
import type { ExternalRequest } from '../flows/blocks/request-schema.ts';
import {
  encodeForm,
  renderForm,
  renderHeader,
  renderText,
  type Rendered,
  type RenderProblem,
} from '../flows/templating/render.ts';
import { renderJson } from '../flows/templating/render-json.ts';
import { renderUrl } from '../flows/templating/render-url.ts';
import { Marker, type Scope } from '../flows/templating/scope.ts';
import { unreachable } from '../unreachable.ts';

/**
 * A request as it is kept and sent, the same on every attempt, but for what proves who asks: a marker stands where a credential goes, which
 * is read anew each time.
 */
export type RenderedRequest = {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: string | null;
  bodyType: BodyType;
  /** The credential that goes in the way of its type. */
  credential: string | null;
  /** The name of the credential that each marker stands for. */
  markers: Readonly<Record<string, string>>;
};

export type BodyType = NonNullable<ExternalRequest['body_type']>;

/** Why nothing can be sent: in which part of the block, such as `headers.X-Key`, and where in its template. */
export type RequestProblem = { place: string; message: string; position?: number; path?: string | null };

export type RenderOptions = {
  scope: Scope;
  /** Which meaning the block has: since 2 no part of the path may become empty unasked. */
  v: number;
  /** The same on all attempts of one visit to the block: `<run>:<block>:<visit>`. */
  idempotencyKey: string;
  /** At random for each request: no value can have in it what stands for a credential. */
  nonce: string;
};

/** What a request that is longer is refused for, in characters: all headers, and the body. */
const limits = { headers: 32_768, body: 1_048_576 };

const contentTypes: Readonly<Record<BodyType, string | undefined>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  raw: 'text/plain; charset=utf-8',
  none: undefined,
};

/** Renders the request of a block, or says what is wrong with it; then nothing is to be sent. */
export const renderRequest = (
  config: ExternalRequest,
  { scope, v, idempotencyKey, nonce }: RenderOptions,
): { ok: true; request: RenderedRequest } | { ok: false; problem: RequestProblem } => {
  const markers = createMarkers(nonce);
  const marked: Scope = { ...scope, find: (path) => markers.find(path) ?? scope.find(path) };
  try {
    const url = renderTarget(config, marked, v);
    const { body, bodyType } = renderBody(config, marked);
    const headers = renderHeaders(config, marked, { bodyType, idempotencyKey });
    const { method, credential = null } = config;
    return {
      ok: true,
      request: { method, url, headers, body, bodyType, credential, markers: Object.fromEntries(markers.names) },
    };
  } catch (error) {
    if (error instanceof Unrendered) return { ok: false, problem: error.problem };
    throw error;
  }
};

class Unrendered extends Error {
  readonly problem: RequestProblem;

  constructor(problem: RequestProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

const unwrap = (place: string, rendered: Rendered): string => {
  if (rendered.ok) return rendered.text;
  const { position, path, message }: RenderProblem = rendered.problem;
  throw new Unrendered({ place, position, path, message });
};

const createMarkers = (nonce: string) => {
  const names = new Map<string, string>();
  const find = (path: string): Marker | undefined => {
    if (!path.startsWith('credential.')) return undefined;
    const name = path.slice('credential.'.length);
    const known = [...names].find(([, other]) => other === name)?.[0];
    if (known === undefined && names.size === maxCredentials)
      throw new Unrendered({
        place: 'credential',
        message: `names more than ${maxCredentials} credentials by placeholders`,
      });
    const text = known ?? `credential-${nonce}-${names.size}-`;
    names.set(text, name);
    return new Marker(text);
  };
  return { names, find };
};

const renderTarget = ({ url, query = {} }: ExternalRequest, scope: Scope, v: number): string => {
  const target = unwrap('url', renderUrl(url, scope, { takesEmptyParts: v < 2 }));
  const parameters = Object.entries(query).map(([name, template]) => {
    const value = unwrap(`query.${name}`, renderForm(template, scope));
    return `${encodeForm(name)}=${value}`;
  });
  if (parameters.length === 0) return target;
  return `${target}${target.includes('?') ? '&' : '?'}${parameters.join('&')}`;
};

const renderBody = (config: ExternalRequest, scope: Scope): { body: string | null; bodyType: BodyType } => {
  const bodyType = config.method === 'GET' ? 'none' : bodyTypeOf(config);
  const body = renderBodyOf(bodyType, config, scope);
  if ((body?.length ?? 0) > limits.body)
    throw new Unrendered({ place: 'body', message: `becomes longer than ${limits.body} characters` });
  return { body, bodyType };
};

const renderBodyOf = (bodyType: BodyType, { body = '', form = {} }: ExternalRequest, scope: Scope): string | null => {
  switch (bodyType) {
    case 'none':
      return null;
    case 'json':
      return unwrap('body', renderJson(body, scope));
    case 'raw':
      return unwrap('body', renderText(body, scope));
    case 'form':
      return Object.entries(form)
        .map(([name, template]) => `${encodeForm(name)}=${unwrap(`form.${name}`, renderForm(template, scope))}`)
        .join('&');
    default:
      return unreachable(bodyType);
  }
};

const renderHeaders = (
  { headers = {} }: ExternalRequest,
  scope: Scope,
  { bodyType, idempotencyKey }: { bodyType: BodyType; idempotencyKey: string },
): [string, string][] => {
  const own = Object.entries(headers).map(([name, template]): [string, string] => {
    const place = `headers.${name}`;
    if (!isSettable(name)) throw new Unrendered({ place, message: 'is not a header that you can set' });
    return [name.toLowerCase(), unwrap(place, renderHeader(template, scope)).trim()];
  });
  const named = new Set(own.map(([name]) => name));
  const contentType = contentTypes[bodyType];
  const usual: [string, string | undefined][] = [
    ['user-agent', 'Parley (flows)'],
    ['accept', 'application/json, */*;q=0.5'],
    ['content-type', contentType],
  ];
  const all = [
    ...usual.flatMap(([name, value]): [string, string][] =>
      value === undefined || named.has(name) ? [] : [[name, value]],
    ),
    ...own,
    ['idempotency-key', idempotencyKey] satisfies [string, string],
  ];
  if (all.reduce((length, [name, value]) => length + name.length + value.length, 0) > limits.headers)
    throw new Unrendered({ place: 'headers', message: `become longer than ${limits.headers} characters` });
  return all;
};

/** The names of the credentials that a request needs. */
export const credentialsOf = ({ credential, markers }: RenderedRequest): string[] => [
  ...new Set([...Object.values(markers), ...(credential === null ? [] : [credential])]),
];
