import { readJsonPath, type JsonPath } from '../../platform/json-path.ts';

/** Where a mapped value comes from: a place in the JSON of a response, or the response itself. Names of headers are in lower case. */
type MappingSource =
  | { from: 'json'; path: JsonPath }
  | { from: 'status' }
  | { from: 'header'; name: string }
  | { from: 'body' };

type ReadMappingPath = { ok: true; source: MappingSource } | { ok: false; problem: string };

/** A path of names and indices alone, without `$` or brackets around names. */
const plainPath = /^(?:\$\.)?[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+|\[\d{1,9}\])*$/u;

/** `items.0.left` as JSONPath has it: `items[0].left`. */
const withIndices = (path: string): string => path.replaceAll(/\.(\d{1,9})(?=[.[]|$)/g, '[$1]');

/** Reads the path of a mapping: `$status`, `$headers.<name>`, `$body`, or a JSONPath, also with `items.0` for `items[0]`. */
export const readMappingPath = (path: string): ReadMappingPath => {
  if (path === '$status') return { ok: true, source: { from: 'status' } };
  if (path === '$body') return { ok: true, source: { from: 'body' } };
  const [, header] = /^\$headers\.([!#$%&'*+\-.^_`|~\w]{1,128})$/.exec(path) ?? [];
  if (header !== undefined) return { ok: true, source: { from: 'header', name: header.toLowerCase() } };
  const read = readJsonPath(plainPath.test(path) ? withIndices(path) : path);
  return read.ok ? { ok: true, source: { from: 'json', path: read.path } } : read;
};
