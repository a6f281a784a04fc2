import type { CurlRequest } from '../../../../shared/flows/curl/compose.ts';
import type { RawBlock } from '../../../../shared/flows/raw-blocks.ts';
import { setFields } from '../edits/blocks.ts';

/** What becomes of the secrets and suspicious texts of a pasted cURL. */
export type Decisions = {
  /** The credential that takes the place of each proposed one, by its proposed name; undefined leaves the secret out. */
  credentials: ReadonlyMap<string, string | undefined>;
  /** The placeholder that takes the place of a text in the url, where one does. */
  placeholders: ReadonlyMap<string, string>;
};

const placeholderOf = (name: string): string => `{{credential.${name}}}`;

type Table = Readonly<Record<string, string>> | undefined;

/** The request as it was decided: with other credentials, without those that are left out, and with placeholders in its url. */
export const decideCurl = (request: CurlRequest, { credentials, placeholders }: Decisions): CurlRequest => {
  const inText = (text: string): string =>
    [...credentials].reduce(
      (changed, [proposed, name]) =>
        changed.replaceAll(placeholderOf(proposed), name === undefined ? '' : placeholderOf(name)),
      text,
    );
  const inTable = (table: Table): Table => {
    const entries = Object.entries(table ?? {}).flatMap(([name, template]): [string, string][] => {
      const changed = inText(template);
      return template !== '' && changed === '' ? [] : [[name, changed]];
    });
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  };
  const { credential, headers, query, form, body, url, ...rest } = request;
  const own = credential === undefined || !credentials.has(credential) ? credential : credentials.get(credential);
  const tables = { headers: inTable(headers), query: inTable(query), form: inTable(form) };
  return {
    ...rest,
    url: [...placeholders].reduce((changed, [text, name]) => changed.replaceAll(text, `{{${name}}}`), url),
    ...(own !== undefined && { credential: own }),
    ...(tables.headers && { headers: tables.headers }),
    ...(tables.query && { query: tables.query }),
    ...(tables.form && { form: tables.form }),
    ...(body !== undefined && { body: inText(body) }),
  };
};

/** What a cURL command says all of. How long a request may take, and how often it is made, it need not say. */
const said = ['method', 'url', 'credential', 'headers', 'query', 'body_type', 'body', 'form'] as const;

/** A block that sends this request in place of its own, and goes on as before. */
export const replaceRequest = (block: RawBlock, request: CurlRequest): RawBlock =>
  setFields(block, { ...Object.fromEntries(said.map((field) => [field, undefined])), ...request });
