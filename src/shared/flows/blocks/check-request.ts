import { isConnectionHeader, isHeaderName } from '../../platform/egress/connection-headers.ts';
import { isSecretName } from '../../platform/secret-names.ts';
import { hiddenPart } from '../../platform/mask-url.ts';
import { findHeaderTemplateFault } from '../templating/render.ts';
import { findJsonTemplateFault } from '../templating/render-json.ts';
import { findUrlTemplateFault } from '../templating/render-url.ts';
import { originOf } from '../templating/url-faults.ts';
import { parseTemplate, placeholdersOf, withoutPlaceholders } from '../templating/template.ts';
import type { BlockProblem, Known } from './block.ts';
import { fieldTypeOf } from './fields.ts';
import { readMappingPath } from './mapping-paths.ts';
import type { ExternalRequest } from './request-schema.ts';
import { findRetryProblems } from './retry-policy.ts';
import { findSuccessProblems } from './success-when.ts';

/** What is wrong with a request beyond its shape, and what may be meant otherwise. */
export const findRequestProblems = (config: ExternalRequest, { fields, refuseUrl }: Known): BlockProblem[] => [
  ...findUrlProblems(config.url, refuseUrl),
  ...findHeaderProblems(config),
  ...findBodyProblems(config),
  ...findCredentialProblems(config),
  ...findRetryProblems(config),
  ...(config.success_when ? findSuccessProblems(config.success_when) : []),
  ...findMappingProblems(config, 'mapping', fields),
  ...findMappingProblems(config, 'error_mapping', fields),
];

/** The most credentials that placeholders of one request name: each of them is looked for in everything that is kept of it. */
export const maxCredentials = 10;

const findCredentialProblems = ({ headers, query, form, body = '' }: ExternalRequest): BlockProblem[] => {
  const templates = [headers, query, form].flatMap((table) => Object.values(table ?? {}));
  const placeholders = [...templates, body].flatMap((template) => placeholdersOf(parseTemplate(template)));
  const named = new Set(placeholders.flatMap(({ path }) => (path?.startsWith('credential.') ? [path] : [])));
  if (named.size <= maxCredentials) return [];
  const message = `and placeholders may name ${maxCredentials} credentials, not ${named.size}`;
  return [{ code: 'too_many_credentials', path: 'credential', message }];
};

/** The kind of body that a request has, whether it is said or follows from what is there. */
export const bodyTypeOf = ({ body_type: type, body, form }: ExternalRequest): 'json' | 'form' | 'raw' | 'none' =>
  type ?? (form === undefined ? (body === undefined ? 'none' : 'json') : 'form');

const findUrlProblems = (url: string, refuse: (url: string) => string | undefined): BlockProblem[] => {
  if (withoutPlaceholders(url).includes(hiddenPart))
    return [
      {
        code: 'left_out',
        path: 'url',
        message: `has ${hiddenPart} in the place of what may be a secret`,
        hint: 'Write there what belongs there, or make a credential of it.',
      },
    ];
  const fault = findUrlTemplateFault(url);
  if (fault) return [{ code: 'invalid_url', path: 'url', message: sayFault(fault) }];
  const refused = refuse(`${originOf(url)}/`);
  return refused === undefined ? [] : [{ code: 'refused_url', path: 'url', message: refused }];
};

/** What every request has from the service: a name that is the same on all tries, and the encodings that it can read. */
const ownHeaders: ReadonlySet<string> = new Set(['idempotency-key', 'accept-encoding']);

/** Whether a flow may set a header of this name. */
export const isSettable = (name: string): boolean =>
  isHeaderName(name) && !isConnectionHeader(name) && !ownHeaders.has(name.toLowerCase());

const sayFault = ({ message, position }: { message: string; position: number }): string =>
  `${message} (at character ${position + 1})`;

const findHeaderProblems = ({ headers = {} }: ExternalRequest): BlockProblem[] =>
  Object.entries(headers).flatMap(([name, template]) => {
    const path = `headers.${name}`;
    if (!isSettable(name)) return [{ code: 'refused_header', path, message: 'is set by the service itself' }];
    const fault = findHeaderTemplateFault(template);
    if (fault) return [{ code: 'invalid_header', path, message: sayFault(fault) }];
    if (!isTypedSecret(name, template)) return [];
    const message = 'is a secret that everybody who reads the flow can see';
    const hint = 'Make a credential of it, and name it in credential or as {{credential.…}}.';
    return [{ code: 'secret_in_header', severity: 'warning' as const, path, message, hint }];
  });

/** Whether a header, a parameter or a field of a form looks like a secret that was typed into it, and not named as a credential. */
export const isTypedSecret = (name: string, template: string): boolean => isSecretName(name) && hasTypedText(template);

/** Whether there is more than placeholders and the word of a scheme. */
const hasTypedText = (template: string): boolean =>
  withoutPlaceholders(template)
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
  if (unused.length > 0)
    return unused.map((path) => ({ code: 'unused_body', path, message: `is not sent with body_type ${type}` }));
  const fault = type === 'json' ? findJsonTemplateFault(body ?? '') : undefined;
  return fault ? [{ code: 'invalid_json', path: 'body', message: sayFault(fault) }] : [];
};

const findMappingProblems = (
  config: ExternalRequest,
  table: 'mapping' | 'error_mapping',
  fields: Known['fields'],
): BlockProblem[] =>
  (config[table] ?? []).flatMap(({ path, field, read_as: readAs }, index) => {
    const at = `${table}.${index}`;
    const read = readMappingPath(path);
    const type = fieldTypeOf(fields, field);
    const isForTimes = readAs === undefined || type === undefined || type === 'date' || type === 'datetime';
    const message = `is for fields of type date and datetime, and ${field} is of type ${type}`;
    return [
      ...(read.ok ? [] : [{ code: 'invalid_path', path: `${at}.path`, message: read.problem }]),
      ...(isForTimes || config.for_each ? [] : [{ code: 'wrong_type', path: `${at}.read_as`, message }]),
      ...(config.for_each && !holdsItems(type) ? [{ code: 'wrong_type', path: `${at}.field`, message: noList }] : []),
    ];
  });

const noList = 'must be a field of type list or json: with for_each it gets a list';

/** Whether a field of this type can hold a value of each item; undefined is said elsewhere. */
const holdsItems = (type: string | undefined): boolean => type === undefined || type === 'list' || type === 'json';
