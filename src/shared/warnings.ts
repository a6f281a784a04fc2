import { z } from 'zod';

/** Something that was taken as it came, and that its sender may not have meant. */
type Warning = { path: string; message: string };

/** The warnings of an answer to a write; left out where there are none. */
export const warnings = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .meta({ description: 'Accepted input that may be a mistake; only in the answer to a write.' });

/** The answer with what may not be meant in these fields of the body: urls that are called in another spelling, and secrets within white space. */
export const withWarnings = <Shown extends object>(
  shown: Shown,
  body: Readonly<Record<string, unknown>>,
  { urls = [], secrets = [] }: { urls?: readonly string[]; secrets?: readonly string[] },
): Shown & { warnings?: Warning[] } => {
  const find = (paths: readonly string[], say: (text: string) => string | undefined): Warning[] =>
    paths.flatMap((path) => {
      const value = body[path];
      const message = typeof value === 'string' ? say(value) : undefined;
      return message === undefined ? [] : [{ path, message }];
    });
  const found = [...find(urls, warnOfUrl), ...find(secrets, warnOfSecret)];
  return { ...shown, ...(found.length > 0 && { warnings: found }) };
};

/** What is registered is shown as it was written, and called as the URL standard reads it. */
const warnOfUrl = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (!url) return undefined;
  const called = url.href.slice(url.origin.length);
  const written = text.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/^(?!\/)/, '/');
  if (readable(called) !== readable(written)) return `is called as ${url.href}`;
  return text.endsWith('?') ? 'ends with "?", which is a part of it' : undefined;
};

/** Escapes of the same letters make no difference to a reader. */
const readable = (path: string): string => {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
};

const warnOfSecret = (text: string): string | undefined => {
  const ends = [...(/^\s/.test(text) ? ['begins'] : []), ...(/\s$/.test(text) ? ['ends'] : [])];
  return ends.length === 0 ? undefined : `${ends.join(' and ')} with white space, which is a part of it`;
};
