import type { Json } from '../../custom-fields/values.ts';
import type { MediaFile } from '../../media/schema.ts';
import { ExactNumber } from '../../platform/json/exact-number.ts';

/** A file that a value names, and a signed link to it, which was made for this rendering. */
export type FileWithLink = { file: MediaFile; url: string };

/** The files that templates can show, by their ids as values have them. */
export type Files = ReadonlyMap<string, FileWithLink>;

const parts = {
  url: ({ url }) => url,
  name: ({ file }) => file.name,
  type: ({ file }) => file.type,
  content_type: ({ file }) => file.contentType,
  size: ({ file }) => file.bytes,
} as const satisfies Record<string, (one: FileWithLink) => string | number>;

/** What can follow a name whose value is the id of a file: `{{photo.url}}`. */
export const fileParts: readonly string[] = Object.keys(parts);

const isPart = (name: string): name is keyof typeof parts => Object.hasOwn(parts, name);

/** What a path means that ends in a part of a file; `find` answers what the path before it means. */
export const findInFile = (
  files: Files | undefined,
  path: string,
  find: (path: string) => Json | undefined,
): Json | undefined => {
  const dot = path.lastIndexOf('.');
  const part = path.slice(dot + 1);
  if (!files?.size || dot < 0 || !isPart(part)) return undefined;
  const one = files.get(idIn(find(path.slice(0, dot))) ?? '');
  return one && parts[part](one);
};

/** The id of a file is a value by itself, or stands in an attachment. */
const idIn = (value: Json | undefined): string | undefined => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber)
    return undefined;
  return Object.hasOwn(value, 'id') && typeof value['id'] === 'string' ? value['id'] : undefined;
};

/** The file that such a link leads to. */
export const findByLink = (files: Files | undefined, url: string): MediaFile | undefined =>
  files?.values().find((one) => one.url === url)?.file;
