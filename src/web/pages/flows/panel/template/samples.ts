import type { Json } from '../../../../../shared/custom-fields/values.ts';
import { fileParts } from '../../../../../shared/flows/templating/files.ts';
import { dottedPath, findIn } from '../../../../../shared/flows/templating/scope.ts';
import type { Schemas } from '../../../../api/client.ts';
import type { Fields } from './names.ts';
import type { SampledFiles } from './use-sampled-files.ts';

/** The most characters of a sample that are shown. */
const shownCharacters = 60;

type Options = { contact: Schemas['Contact'] | undefined; fields: Fields; files: SampledFiles };

/** What a name has for the chosen contact, in a line; undefined where that is not known before a run. */
export const findSample = (given: string, { contact, fields, files }: Options): string | undefined => {
  if (!contact) return undefined;
  const [root = '', ...rest] = dottedPath(given)
    .replace(/^contact\.(?:custom_fields\.)?/, '')
    .split('.');
  const whole = root === 'contact' ? undefined : valueOf(root, { contact, fields });
  const value = findIn(whole, rest) ?? partOfFile(typeof whole === 'string' ? files.get(whole) : undefined, rest);
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > shownCharacters ? `${line.slice(0, shownCharacters)}…` : line;
};

const valueOf = (
  root: string,
  { contact, fields }: { contact: Schemas['Contact']; fields: Fields },
): Json | undefined => {
  const own: Readonly<Record<string, Json | undefined>> = {
    id: contact.id,
    first_name: contact.first_name,
    last_name: contact.last_name,
    email: contact.email,
    phone: contact.phone,
    language: contact.language,
    time_zone: contact.time_zone,
    external_id: contact.external_id,
    tags: contact.tags,
  };
  if (Object.hasOwn(own, root)) return own[root];
  const stored = Object.hasOwn(contact.custom_fields, root) ? contact.custom_fields[root] : undefined;
  return asJson(stored) ?? fields.get(root)?.default ?? undefined;
};

/** `url` and the other parts that templates have of a file. */
const partOfFile = (file: Schemas['Media'] | undefined, [part = '', ...more]: readonly string[]): Json | undefined =>
  file && more.length === 0 && fileParts.includes(part)
    ? asJson(new Map<string, unknown>(Object.entries(file)).get(part))
    : undefined;

const asJson = (value: unknown): Json | undefined =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API answers JSON
  value as Json | undefined;
