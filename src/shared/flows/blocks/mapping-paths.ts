import { readJsonPath, type JsonPath } from '../../platform/json-path.ts';

/** Where a mapped value comes from: a place in the JSON of a response, or the response itself. Names of headers are in lower case. */
type MappingSource =
  | { from: 'json'; path: JsonPath }
  | { from: 'status' }
  | { from: 'header'; name: string }
  | { from: 'body' };

type ReadMappingPath = { ok: true; source: MappingSource } | { ok: false; problem: string };

/** Reads the path of a mapping: `$status`, `$headers.<name>`, `$body`, or a JSONPath. */
export const readMappingPath = (path: string): ReadMappingPath => {
  if (path === '$status') return { ok: true, source: { from: 'status' } };
  if (path === '$body') return { ok: true, source: { from: 'body' } };
  const [, header] = /^\$headers\.([!#$%&'*+\-.^_`|~\w]{1,128})$/.exec(path) ?? [];
  if (header !== undefined) return { ok: true, source: { from: 'header', name: header.toLowerCase() } };
  const read = readJsonPath(path);
  return read.ok ? { ok: true, source: { from: 'json', path: read.path } } : read;
};
