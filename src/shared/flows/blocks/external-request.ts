import { z } from 'zod';
import { findUrlTemplateFault, originOf } from '../templating/render-url.ts';
import type { Block, BlockProblem, Reference, TemplateUse } from './block.ts';
import { usesField } from './fields.ts';
import { blockSchema, fieldName } from './schemas.ts';

/** The most of what a request can have. */
const requestLimits = { headers: 20, query: 50, form: 100, mappings: 50, body: 200_000, url: 4_000 } as const;

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, { error: 'is no name of a header' });

const table = (name: z.ZodString, most: number) =>
  z
    .record(name, z.string().max(5_000))
    .refine((entries) => Object.keys(entries).length <= most, { error: `has more than ${most} entries` })
    .meta({ maxProperties: most });

const mappings = z
  .array(
    z.strictObject({
      path: z.string().min(1).max(500).meta({
        description: 'JSONPath (RFC 9535) such as `$.items[0].left`, or `$status`, `$headers.<name>`, `$body`.',
      }),
      field: fieldName,
      on_missing: z.enum(['keep', 'clear', 'error']).default('keep').meta({
        description: 'What becomes of the field when the response has nothing at the path.',
      }),
    }),
  )
  .max(requestLimits.mappings);

const schema = blockSchema(
  'external_request',
  {
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
    url: z.string().min(1).max(requestLimits.url).meta({
      description: 'Placeholders may stand in the path and in the query; each value is percent-encoded for its place.',
    }),
    credential: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'The name of a credential, sent to its hosts only.' }),
    headers: table(headerName, requestLimits.headers).optional(),
    query: table(z.string().min(1).max(200), requestLimits.query).optional(),
    body_type: z.enum(['json', 'form', 'raw', 'none']).optional().meta({
      description:
        '`form` has `form`, the others `body`. What is not given follows from them: `json` for a body, `form` for a form.',
    }),
    body: z.string().max(requestLimits.body).optional().meta({
      description: 'In JSON, a value within quotes is escaped text, and outside of them JSON of its own type.',
    }),
    form: table(z.string().min(1).max(200), requestLimits.form).optional(),
    mapping: mappings.optional().meta({ description: 'Of a 2xx response; all fields are written together, or none.' }),
    error_mapping: mappings.optional().meta({ description: 'Of every other response.' }),
    timeout_ms: z.int().min(1_000).max(120_000).default(10_000),
    attempts: z.int().min(1).max(3).default(3),
    safe_to_repeat: z.boolean().default(false).meta({ description: 'POST and PATCH are then tried again like GET.' }),
    follow_redirects: z.boolean().default(false).meta({ description: 'Up to 5; credentials stay at their origin.' }),
  },
  ['success', 'error', 'timeout'],
);

export type ExternalRequest = z.output<typeof schema>;

export const externalRequest: Block<ExternalRequest> = {
  type: 'external_request',
  summary: 'Calls another service by HTTP, and writes what it answers into fields.',
  schema,
  ports: () => [
    { name: 'success', omitted: 'following' },
    { name: 'error', omitted: 'fails' },
    { name: 'timeout', omitted: 'fails' },
  ],
  uses: (config) => usesOf(config),
  templates: (config) => templatesOf(config),
  check: (config, { refuseUrl }) => [
    ...findUrlProblems(config.url, refuseUrl),
    ...findHeaderProblems(config),
    ...findBodyProblems(config),
  ],
  enter: () => ({ type: 'call' }),
};

/** The kind of body that a request has, whether it is said or follows from what is there. */
export const bodyTypeOf = ({ body_type: type, body, form }: ExternalRequest): 'json' | 'form' | 'raw' | 'none' =>
  type ?? (form === undefined ? (body === undefined ? 'none' : 'json') : 'form');

const usesOf = ({ credential, mapping = [], error_mapping: errorMapping = [] }: ExternalRequest): Reference[] => [
  ...(credential === undefined ? [] : [{ path: 'credential', type: 'credential' as const, name: credential }]),
  ...mapping.flatMap(({ field }, index) => usesField(`mapping.${index}.field`, field)),
  ...errorMapping.flatMap(({ field }, index) => usesField(`error_mapping.${index}.field`, field)),
];

const templatesOf = (config: ExternalRequest): TemplateUse[] => {
  const { url, headers = {}, query = {}, form = {}, body = '' } = config;
  return [
    { path: 'url', template: url, place: 'url' },
    ...templatesOfTable('headers', headers, 'header'),
    ...templatesOfTable('query', query, 'form'),
    ...templatesOfTable('form', form, 'form'),
    { path: 'body', template: body, place: bodyTypeOf(config) === 'json' ? 'json' : 'text', takesCredentials: true },
  ];
};

const templatesOfTable = (path: string, table: Readonly<Record<string, string>>, place: 'header' | 'form') =>
  Object.entries(table).map(([name, template]) => ({
    path: `${path}.${name}`,
    template,
    place,
    takesCredentials: true as const,
  }));

const findUrlProblems = (url: string, refuse: (url: string) => string | undefined): BlockProblem[] => {
  const fault = findUrlTemplateFault(url);
  if (fault) return [{ code: 'invalid_url', path: 'url', message: fault.message }];
  const refused = refuse(`${originOf(url)}/`);
  return refused === undefined ? [] : [{ code: 'refused_url', path: 'url', message: refused }];
};

/** Headers that are the connection's or the client's own. */
const refusedHeaders: ReadonlySet<string> = new Set(
  `host content-length connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade
  expect`.split(/\s+/),
);

const secretName = /authorization|cookie|token|secret|password|api-?key/i;

const findHeaderProblems = ({ headers = {} }: ExternalRequest): BlockProblem[] =>
  Object.entries(headers).flatMap(([name, template]) => {
    const path = `headers.${name}`;
    if (refusedHeaders.has(name.toLowerCase()))
      return [{ code: 'refused_header', path, message: 'is set by the connection itself' }];
    if (!secretName.test(name) || !hasTypedText(template)) return [];
    const message = 'is a secret that everybody who reads the flow can see';
    const hint = 'Make a credential of it, and name it in credential or as {{credential.…}}.';
    return [{ code: 'secret_in_header', severity: 'warning' as const, path, message, hint }];
  });

/** Whether there is more than placeholders and the word of a scheme. */
const hasTypedText = (template: string): boolean =>
  template
    .replace(/\{\{.{0,1000}?\}\}/g, '')
    .replace(/^\s*(?:bearer|basic|token)\b/i, '')
    .trim() !== '';

const findBodyProblems = (config: ExternalRequest): BlockProblem[] => {
  const { method, body, form } = config;
  const type = bodyTypeOf(config);
  if (method === 'GET' && type !== 'none')
    return [
      {
        code: 'body_of_get',
        path: body === undefined ? 'form' : 'body',
        message: 'is allowed with every method but GET',
      },
    ];
  const unused = [
    ...(body !== undefined && (type === 'form' || type === 'none') ? ['body'] : []),
    ...(form !== undefined && type !== 'form' ? ['form'] : []),
  ];
  return unused.map((path) => ({ code: 'unused_body', path, message: `is not sent with body_type ${type}` }));
};
