import type { z } from 'zod';
import type { Known } from '../blocks/block.ts';
import { findRequestProblems } from '../blocks/check-request.ts';
import { requestSchema } from '../blocks/request-schema.ts';
import { sayIssue } from '../../platform/say-issue.ts';
import { parseTemplate } from '../templating/template.ts';
import { readAuth } from './auth.ts';
import { bodyOfData, bodyOfForm, joinData } from './body.ts';
import { composeRequest, type CurlRequest } from './compose.ts';
import { findCurl, splitFor } from './dialect.ts';
import { findExposed, type ExposedText } from './exposed.ts';
import { Findings, type CurlNote, type CurlProblem } from './findings.ts';
import { readHeaders, type Headers } from './headers.ts';
import { namesIn, splitTemplate } from './placeholders.ts';
import { isSecret, Proposals, type CredentialProposal } from './proposals.ts';
import { readOptions, type Given, type Option } from './read-options.ts';
import { readSettings } from './settings.ts';
import { encodeData, encodeRefused, readUrl } from './url.ts';

/** The request that a cURL command makes, the credentials that it needs, and what was not taken over; or why there is none. */
export type ParsedCurl =
  | { ok: true; request: CurlRequest; credentials: CredentialProposal[]; exposed: ExposedText[]; notes: CurlNote[] }
  | { ok: false; problems: CurlProblem[]; notes: CurlNote[] };

/** The most characters of a text that is read. */
const maxCharacters = 100_000;

const methods = requestSchema.shape.method.options;

/** Whether a text has a cURL command in it. */
export const isCurl = (text: string): boolean => findCurl(text.slice(0, maxCharacters)) !== undefined;

/**
 * Reads a cURL command, as documents show it and browsers copy it, for sh, for cmd and for PowerShell. What it answers can become a block at
 * once: the block's schema and checks find nothing wrong. Secrets are in `credentials` alone. `taken`: names of credentials that are there;
 * `ownUrl`: where the account tries requests. It takes a time that grows with the length of the text.
 */
export const parseCurl = (
  text: string,
  { taken = [], ownUrl }: { taken?: Iterable<string>; ownUrl?: string | undefined } = {},
): ParsedCurl => {
  const findings = new Findings();
  const parsed = parse(text, taken, findings);
  const { problems, notes } = findings;
  if (!parsed || problems.length > 0) return { ok: false, problems, notes };
  return { ok: true, ...parsed, exposed: findExposed(parsed.request, ownUrl), notes };
};

const parse = (
  text: string,
  taken: Iterable<string>,
  findings: Findings,
): { request: CurlRequest; credentials: CredentialProposal[] } | undefined => {
  if (text.length > maxCharacters) return refuse(findings, maxCharacters, `has more than ${maxCharacters} characters`);
  const from = findCurl(text);
  if (from === undefined) return refuse(findings, 0, 'has no curl command');
  const { words, stdin } = splitFor(text, from)(text, from, findings);
  // A word that did not end has swallowed what else there is.
  if (findings.problems.length > 0) return undefined;
  const given = readOptions(words, findings);
  const { options, urls } = given;
  const data = joinData(options, stdin, findings);
  const isGet = options.some(({ name }) => name === 'get');
  const url = readTarget(given, isGet ? data : undefined, findings);
  if (!url) return urls.length > 0 ? undefined : refuse(findings, from, 'has no url');
  const headers = readHeaders(options, url.host, findings);
  const form = bodyOfForm(options, findings);
  if (form && data !== undefined) return refuse(findings, from, 'has both -d and -F, which curl refuses');
  const body = form ?? (data === undefined || isGet ? undefined : bodyOfData(data, headers, findings));
  const method = readMethod(options, { hasData: form !== undefined || data !== undefined, isGet }, findings);
  if (!method) return undefined;
  if (method === 'GET' && body) {
    const at = options.findLast(({ name }) => name === 'request')?.at ?? from;
    return refuse(
      findings,
      at,
      'has a body with GET: a block sends bodies with other methods, and -G puts data into the url',
    );
  }
  const written = headers.get('authorization');
  const header = written && isSecret(written.name, written.value) ? written : undefined;
  const auth = written && !header ? undefined : readAuth({ header, options, urlUser: url.user }, findings);
  const proposals = new Proposals(url.host, taken, findings);
  const request = {
    ...composeRequest({ method, url, headers, auth, body }, proposals),
    ...readSettings(options, findings),
  };
  check(request, placesOf(given, headers), findings);
  noteVariables(request, findings);
  return { request, credentials: proposals.list };
};

const refuse = (findings: Findings, position: number, message: string): undefined => {
  findings.problem(position, message);
  return undefined;
};

/** The first address, with what `-G` and `--url-query` add to it. */
const readTarget = ({ options, urls }: Given, data: string | undefined, findings: Findings) => {
  const word = urls.find(({ text }) => /[.:/]/.test(text)) ?? urls[0];
  if (!word) return undefined;
  if (urls.length > 1) findings.note('url', 'is given more than once: the first is taken');
  const has = (option: string): boolean => options.some(({ name }) => name === option);
  const url = readUrl(word, { globs: !has('globoff'), keepsDots: has('path-as-is') }, findings);
  if (!url) return undefined;
  const added = options.flatMap(({ name, value }) =>
    name === 'url-query' ? [value.startsWith('+') ? value.slice(1) : encodeData(value)] : [],
  );
  const more = [...(data === undefined || data === '' ? [] : splitTemplate(encodeRefused(data), '&')), ...added];
  return { ...url, parameters: [...url.parameters, ...more] };
};

const readMethod = (
  options: readonly Option[],
  { hasData, isGet }: { hasData: boolean; isGet: boolean },
  findings: Findings,
): CurlRequest['method'] | undefined => {
  const asked = options.findLast(({ name }) => name === 'request' || name === 'head');
  if (!asked) return hasData && !isGet ? 'POST' : 'GET';
  const written = asked.name === 'head' ? 'HEAD' : asked.value;
  const method = methods.find((known) => known === written.toUpperCase());
  if (!method)
    return refuse(findings, asked.at, `has a method that a block does not send: it sends ${methods.join(', ')}`);
  if (method !== written) findings.note(asked.written, 'is read in capital letters');
  return method;
};

/** Where in the text each part of the block comes from. */
const placesOf = ({ options, urls }: Given, headers: Headers): ((path: string) => number) => {
  const body = options.find(({ name }) => /^(?:data|form|json)/.test(name))?.at;
  const timeout = options.find(({ name }) => /-time/.test(name))?.at;
  return (path) => {
    const [part = '', name = ''] = path.split('.', 2);
    if (part === 'headers') return [...headers.values()].find((header) => header.name === name)?.at ?? 0;
    return (part === 'body' || part === 'form' ? body : part === 'timeout_ms' ? timeout : urls[0]?.at) ?? 0;
  };
};

const known: Known = {
  flowId: null,
  fields: new Map(),
  country: null,
  tags: new Set(),
  flows: new Map(),
  tagging: new Map(),
  credentials: new Map(),
  channels: [],
  refuseUrl: () => undefined,
};

/** The block's own schema and checks decide whether this can be one. */
const check = (request: CurlRequest, placeOf: (path: string) => number, findings: Findings): void => {
  const block: z.input<typeof requestSchema> = { id: 'request', type: 'external_request', ...request };
  const { data, error } = requestSchema.safeParse(block, { error: sayIssue });
  for (const { path, message } of error?.issues ?? []) {
    const at = path.join('.');
    findings.problem(placeOf(at), `makes a request whose ${at} ${message}`);
  }
  if (!data) return;
  const faults = findRequestProblems(data, known).filter(({ severity }) => severity !== 'warning');
  for (const { path, message } of faults) findings.problem(placeOf(path), `makes a request whose ${path} ${message}`);
  for (const [path, template] of templatesOf(request)) {
    const [fault] = parseTemplate(template).problems;
    if (fault) findings.problem(placeOf(path), `makes a request whose ${path} ${fault.message}`);
  }
};

const templatesOf = ({ url, headers, query, form, body = '' }: CurlRequest): [path: string, template: string][] => [
  ['url', url],
  ...Object.entries({ headers, query, form }).flatMap(([table, entries]) =>
    Object.entries(entries ?? {}).map(([name, template]): [string, string] => [`${table}.${name}`, template]),
  ),
  ['body', body],
];

/** Says what fills in what was a variable of the shell, or is a placeholder in the text. */
const noteVariables = (request: CurlRequest, findings: Findings): void => {
  const names = templatesOf(request).flatMap(([, template]) => namesIn(template));
  for (const name of new Set(names.filter((path) => !path.startsWith('credential.')))) {
    const written = findings.variables.get(name);
    findings.note(
      written ?? `{{${name}}}`,
      written === undefined
        ? 'stays a placeholder: the flow fills it in'
        : `becomes the placeholder {{${name}}}: the flow fills it in`,
    );
  }
};
