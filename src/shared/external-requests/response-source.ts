import type { Json } from '../custom-fields/values.ts';
import { readMappingPath } from '../flows/blocks/mapping-paths.ts';
import { findByPath, type JsonPath } from '../platform/json-path.ts';
import { parseBothWays } from '../platform/json/parse-json.ts';
import { unreachable } from '../unreachable.ts';

/** An answer whose body is whole and decoded. */
export type WholeResponse = {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: Uint8Array;
};

/** The most values that one path with several results gives: more than any field takes. */
const maxValues = 1_000;

/** What a path leads to. `why` says what is wrong with a response that has no value for that reason. */
type Found = { ok: true; value: Json | undefined; why?: string } | { ok: false; problem: string };

/**
 * Finds what paths lead to in a response, which is parsed when the first one asks for it. `asJson`: `$body` is read as JSON, and not as text.
 * `takesAll`: a path that may lead to several places gives the list of their values, and not the first one. In meaning 2 a response without JSON
 * has no values.
 */
export const createSource = ({ status, headers, body }: WholeResponse, v: number) => {
  let text: string | undefined;
  let document: ReturnType<typeof parse> | undefined;

  const readText = (): string => (text ??= decode(body, headers['content-type']));
  const readDocument = () => (document ??= parse(readText(), headers['content-type']));

  const find = (path: string, { asJson, takesAll }: { asJson: boolean; takesAll: boolean }): Found => {
    const read = readMappingPath(path);
    if (!read.ok) return { ok: false, problem: `has a path that ${read.problem}` };
    const { source } = read;
    switch (source.from) {
      case 'status':
        return { ok: true, value: status };
      case 'header':
        return { ok: true, value: headerOf(headers, source.name) };
      case 'body':
        return asJson || (v >= 2 && readText().trim() === '') ? findDocument() : { ok: true, value: readText() };
      case 'json':
        return findInDocument(source.path, takesAll && !source.path.isSingular);
      default:
        return unreachable(source);
    }
  };

  const withoutJson = (unread: { ok: false; problem: string }): Found =>
    v >= 2 ? { ok: true, value: undefined, why: unread.problem } : unread;

  const findDocument = (): Found => {
    const parsed = readDocument();
    return parsed.ok ? { ok: true, value: parsed.exact } : withoutJson(parsed);
  };

  const findInDocument = (path: JsonPath, takesAll: boolean): Found => {
    const parsed = readDocument();
    if (!parsed.ok) return withoutJson(parsed);
    const values = findByPath(parsed.plain, path, takesAll ? maxValues : 1, parsed.exact)?.filter(isJson);
    if (!values) return { ok: false, problem: 'has a path with .. into a response that is nested too deeply' };
    return { ok: true, value: takesAll && values.length > 0 ? values : values[0] };
  };
  return { find };
};

export type ResponseSource = ReturnType<typeof createSource>;

/** There is nothing else in what was parsed. */
const isJson = (value: unknown): value is Json => value !== undefined;

const headerOf = (headers: WholeResponse['headers'], name: string): string | undefined => {
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return value === undefined ? undefined : [value].flat().join(', ');
};

const parse = (text: string, contentType: string | string[] | undefined) => {
  try {
    return { ok: true, ...parseBothWays(text) } as const;
  } catch {
    if (text.trim() === '') return { ok: false, problem: 'needs a response with a body' } as const;
    const said = contentType === undefined ? '' : ` (this is ${[contentType].flat().join(', ').slice(0, 100)})`;
    return { ok: false, problem: `needs a response that is JSON${said}` } as const;
  }
};

/** The text of a body in the character set that its header names; UTF-8 otherwise. */
export const decode = (body: Uint8Array, contentType: string | string[] | undefined): string => {
  const [, charset = 'utf-8'] = /;\s*charset="?([\w-]{1,40})/i.exec([contentType].flat().join(';')) ?? [];
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
};
