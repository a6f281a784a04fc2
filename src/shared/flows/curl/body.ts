import { findJsonTemplateFault } from '../templating/render-json.ts';
import type { Findings } from './findings.ts';
import type { Headers } from './headers.ts';
import { asTemplate, decodeTemplate, namesIn, splitOnce, splitTemplate } from './placeholders.ts';
import type { Option } from './read-options.ts';
import { encodeData, readsFile } from './url.ts';

/** The body of a block, and the content type that its headers have to name. */
export type Body =
  | { body_type: 'json' | 'raw'; body: string; contentType: string | undefined }
  | { body_type: 'form'; form: [name: string, template: string][]; contentType?: undefined };

/** The most fields of a form. */
const mostPairs = 100;

const urlencoded = 'application/x-www-form-urlencoded';
const isJsonType = (type: string): boolean => /^application\/(?:[\w.+-]{1,80}\+)?json\s*(?:;|$)/i.test(type);

const dataNames: ReadonlySet<string> = new Set([
  'data',
  'data-ascii',
  'data-binary',
  'data-raw',
  'data-urlencode',
  'json',
]);

/** All data of a request as curl joins it: by &, but JSON without anything between. Undefined where there is none. */
export const joinData = (
  options: readonly Option[],
  stdin: string | undefined,
  findings: Findings,
): string | undefined => {
  let joined: string | undefined;
  for (const option of options) {
    if (!dataNames.has(option.name)) continue;
    const piece = readData(option, stdin, findings);
    joined = joined === undefined ? piece : `${joined}${option.name === 'json' ? '' : '&'}${piece}`;
  }
  return joined === undefined ? undefined : asTemplate(joined);
};

const readData = ({ name, value, written, at }: Option, stdin: string | undefined, findings: Findings): string => {
  const isFile = name === 'data-urlencode' ? readsFile(value) : name !== 'data-raw' && value.startsWith('@');
  if (!isFile) return name === 'data-urlencode' ? encodeData(value) : value;
  if (value === '@-' && stdin !== undefined && name !== 'data-urlencode')
    return name === 'data' || name === 'data-ascii' ? stdin.replaceAll(/[\r\n]/g, '') : stdin;
  findings.problem(at, `has ${written} with a file, which is not here: put its content in the place of @ and its name`);
  return '';
};

/** What a block sends of the data that curl would. */
export const bodyOfData = (data: string, headers: Headers, findings: Findings): Body | undefined => {
  const header = headers.get('content-type');
  const type = header?.value ?? urlencoded;
  const text = data.trim();
  if (text === '') return undefined;
  const isJson = isJsonType(type) || (!header && /^[{[]/.test(text) && !findJsonTemplateFault(data));
  if (isJson) {
    const fault = findJsonTemplateFault(data);
    if (!header) findings.note('body', 'is sent as JSON, although curl would label it a form');
    if (fault) findings.note('body', 'is not the JSON that its content type says, so it is sent as it stands');
    const isPlain = !header || /^application\/json$/i.test(type);
    return fault
      ? { body_type: 'raw', body: data, contentType: type }
      : { body_type: 'json', body: data, contentType: isPlain ? undefined : type };
  }
  const pairs = type.toLowerCase().startsWith(urlencoded) ? splitTemplate(data, '&') : [];
  // More than a form can have are not read: decoding each costs more than splitting all.
  const isTable = pairs.length > 0 && pairs.length <= mostPairs;
  const table = isTable ? asTable(pairs.map(readPair)) : undefined;
  return table ? { body_type: 'form', form: table } : { body_type: 'raw', body: data, contentType: type };
};

const readPair = (pair: string): [string, string] | undefined => {
  const [name, value] = splitOnce(pair, '=');
  return value === undefined ? undefined : [decodeTemplate(name), decodeTemplate(value)];
};

/** The pairs as the form of a block, which has each name once; undefined where it cannot say the same. */
const asTable = (pairs: readonly ([string, string] | undefined)[]): [string, string][] | undefined => {
  const known = pairs.filter((pair) => pair !== undefined);
  const isTable =
    known.length === pairs.length &&
    known.length <= mostPairs &&
    new Set(known.map(([name]) => name)).size === known.length &&
    known.every(
      ([name, value]) => /^[^\s{}<>"']{1,200}$/.test(name) && namesIn(name).length === 0 && value.length <= 5_000,
    );
  return isTable ? known : undefined;
};

/** What a block sends of `-F`: it has no multipart, which every service that takes texts alone takes as a form as well. */
export const bodyOfForm = (options: readonly Option[], findings: Findings): Body | undefined => {
  const parts = options.filter(({ name }) => name === 'form' || name === 'form-string');
  if (parts.length === 0) return undefined;
  const pairs = parts.flatMap((option) => readPart(option, findings) ?? []);
  const written = parts[0]?.written ?? '-F';
  const form = asTable(pairs.map(({ name, value }) => [name, asTemplate(value)]));
  findings.note(written, 'is sent as a form (x-www-form-urlencoded), because a block has no multipart body');
  if (form || pairs.length < parts.length) return { body_type: 'form', form: form ?? [] };
  const body = pairs.map(({ name, value }) => encodeData(`${encodeName(name)}=${value}`)).join('&');
  return { body_type: 'raw', body, contentType: urlencoded };
};

const encodeName = (name: string): string => encodeURIComponent(name.toWellFormed());

type Part = { name: string; value: string };

const quotedForm = /^"((?:[^"\\]|\\[^])*)"/;

const readPart = ({ name: option, value: text, written, at }: Option, findings: Findings): Part | undefined => {
  const equals = text.indexOf('=');
  if (equals < 1) return findings.problem(at, `has ${written} without name=value`) ?? undefined;
  const name = text.slice(0, equals);
  const value = text.slice(equals + 1);
  if (option === 'form-string') return { name, value };
  if (/^[@<]/.test(value))
    return findings.problem(at, `has ${written} with a file, and a block sends no files: leave it out`) ?? undefined;
  const start = value.trimStart();
  const quoted = quotedForm.exec(start);
  const end = quoted ? quoted[0].length : start.search(/;|$/);
  const rest = start.slice(end).trim();
  if (rest !== '' && rest !== ';') findings.note(written, 'has options behind ; that are left out');
  return { name, value: quoted ? (quoted[1] ?? '').replaceAll(/\\(["\\])/g, '$1') : start.slice(0, end).trimEnd() };
};
