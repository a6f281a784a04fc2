import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type Koa from 'koa';
import { createDoors } from '../../src/api/app.ts';
import type { ApiDeps, ApiState } from '../../src/api/http.ts';
import { routeOf } from '../../src/api/middleware/requests.ts';
import { createOpenApi } from '../../src/api/openapi.ts';
import { resources } from '../../src/api/resources.ts';

type Response = {
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, { schema: object }>;
};
type Operation = { responses: Record<string, Response & { $ref?: string }> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Response> };
};

/** What became of a request, as its client sees it. */
export type Answer = {
  method: string;
  path: string;
  /** Whether an operation was reached; a path on the wrong host reaches none. */
  isRouted: boolean;
  status: number;
  headers: Readonly<Record<string, unknown>>;
  body: unknown;
};

/** Headers that say something of one operation. Those of every answer are in docs/api.md. */
const telling = ['etag', 'location', 'retry-after', 'www-authenticate', 'idempotent-replayed'];

/** Whether an answer is as a document says. Undefined where it is; else what is wrong. */
export const createCheck = (document: Document): ((answer: Answer) => string | undefined) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, 'document');
  const compiled = new Map<string, ValidateFunction>();
  const compile = (pointer: string): ValidateFunction => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, known);
    return known;
  };
  const validate = (pointer: string, body: unknown): string | undefined => {
    const check = compile(pointer);
    if (check(body)) return undefined;
    return ajv.errorsText(check.errors?.slice(0, 5), { dataVar: 'body' });
  };
  const templates = Object.keys(document.paths)
    .map((template) => ({ template, pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`) }))
    // What is spelled out is no id.
    .toSorted((one, other) => one.template.split('{').length - other.template.split('{').length);

  return ({ method, path, isRouted, status, headers, body }) => {
    const found = templates.find(({ template, pattern }) => pattern.test(path) && document.paths[template]?.[method]);
    const isOfHttp =
      [400, 417, 421].includes(status) &&
      /"code":"(bad_request|expectation_failed|misdirected_request)"/.test(JSON.stringify(body));
    const isNowhere = [404, 405].includes(status) && !isRouted;
    if (!found || isOfHttp || isNowhere)
      return status < 400 ? 'there is no such operation' : validate('/components/schemas/Error', body);
    const { template } = found;
    const { responses = {} } = document.paths[template]?.[method] ?? {};
    const key = responses[status] ? String(status) : `${Math.floor(status / 100)}XX`;
    const told = responses[key];
    if (!told) return `${status} is not among ${Object.keys(responses).join(', ')}`;
    const pointer = told.$ref?.slice(1) ?? `/paths/${escape(template)}/${method}/responses/${key}`;
    const response = document.components.responses[pointer.split('/').at(-1) ?? ''] ?? told;
    const missing = Object.entries(response.headers ?? {}).flatMap(([name, { required }]) =>
      required && headers[name.toLowerCase()] === undefined ? [name] : [],
    );
    if (missing.length > 0) return `the header ${missing.join()} is missing`;
    const documented = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    const silent = telling.filter((name) => headers[name] !== undefined && !documented.includes(name));
    if (silent.length > 0) return `the header ${silent.join()} is not told`;
    if (!response.content) return body === undefined ? undefined : 'there is a body';
    if (!String(headers['content-type']).startsWith('application/json'))
      return `the type is ${String(headers['content-type'])}`;
    return validate(`${pointer}/content/application~1json/schema`, body);
  };
};

const escape = (template: string): string => encodeURIComponent(template.replaceAll('~', '~0').replaceAll('/', '~1'));

const inDocument = /^\/(v1|api|dashboard\/api)\//;
/** By the kinds of channels, of which bodies are made. */
const checks = new Map<ApiDeps['channelKinds'], ReturnType<typeof createCheck>>();

/** Checks every answer of an application against the document of everything; `tell` gets those that differ. */
export const checkAnswers = (app: Koa<ApiState>, deps: ApiDeps, tell: (fault: string) => void): void => {
  const kinds = deps.channelKinds;
  const check =
    checks.get(kinds) ?? createCheck(JSON.parse(JSON.stringify(createOpenApi(createDoors(deps, resources)))));
  checks.set(kinds, check);
  // Around everything else, as a client is.
  app.middleware.unshift(async (ctx, next) => {
    await next();
    // As it was sent: nothing can be made of some.
    const [path = ''] = ctx.url.split('?');
    if (!inDocument.test(path) || ctx.method === 'HEAD' || ctx.respond === false) return;
    const fault = check({
      method: ctx.method.toLowerCase(),
      path,
      isRouted: routeOf(ctx) !== undefined,
      status: ctx.status,
      headers: ctx.response.headers,
      body: readBody(ctx.body),
    });
    if (fault !== undefined)
      tell(`${ctx.method} ${routeOf(ctx) ?? path} answers ${ctx.status} unlike the document: ${fault}`);
  });
};

/** A body as its client reads it. */
const readBody = (body: unknown): unknown => {
  if (body === undefined || body === null) return undefined;
  return JSON.parse(typeof body === 'string' ? body : JSON.stringify(body));
};
