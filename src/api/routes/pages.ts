import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';
import type { Config } from '../../shared/platform/config.ts';
import { createBuiltFile, readOnce, sendBuiltFile, type BuiltFile } from '../built-files.ts';
import type { ApiState } from '../http.ts';
import { sideOf } from '../middleware/hosts.ts';
import { readSessionCookie } from '../session-cookie.ts';

/** Made by `npm run build` of `src/web`. */
const built = fileURLToPath(new URL('../../../dist/web/', import.meta.url));

/** Paths that are no pages: what is not there is told as JSON. */
const noPages = [
  '/v1',
  '/api',
  '/dashboard/api',
  '/health',
  '/docs',
  '/openapi.json',
  '/schemas',
  '/webchat',
  '/media',
];

/** Pages that are open to anyone, and have no navigation. */
const openPages = ['/sign-in', '/forgotten-password', '/reset-password', '/invitation'];

/** What of index.html stands for head and navigation until they come. */
const shell = /\s*<!--shell-->[^]*<!--\/shell-->/;

/** A path that begins with two slashes reads as another site where a page names it in a link. */
const isPage = (path: string): boolean =>
  !path.startsWith('//') && !noPages.some((reserved) => path === reserved || path.startsWith(`${reserved}/`));

/** The pages run their own scripts and ask this host, and nothing else. Style attributes are how widgets place themselves. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "media-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

type Pages = Record<'index' | 'openIndex' | 'strangersIndex', string> & { files: ReadonlyMap<string, BuiltFile> };

/**
 * The dashboard at {base_url}: its files, and for every other path that a browser opens its page, which finds out by the path what to show. What
 * asks for JSON, or for anything, is no browser.
 */
export const dashboardPages = (
  config: Pick<Config, 'baseUrl' | 'apiUrl'>,
  { folder = built }: { folder?: string } = {},
): Middleware<ApiState> => {
  const findSide = sideOf(config);
  const read = readOnce(() => readPages(folder));
  return async (ctx, next) => {
    const side = findSide(ctx);
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
    if (!isRead || (side !== 'base' && side !== 'both') || !isPage(ctx.path)) return next();
    const { index, openIndex, strangersIndex, files } = await read();
    const file = files.get(ctx.path);
    if (file) {
      sendBuiltFile(ctx, file);
      return undefined;
    }
    if (ctx.path.startsWith('/assets/') || ctx.accepts('json', 'html') !== 'html') return next();
    const nonce = randomBytes(16).toString('base64url');
    ctx.set({ 'Content-Security-Policy': policy(nonce), 'Referrer-Policy': 'same-origin' });
    ctx.type = 'html';
    const known = openPages.includes(ctx.path) ? openIndex : index;
    ctx.body = (readSessionCookie(ctx, config) === undefined ? strangersIndex : known).replaceAll('%NONCE%', nonce);
    return undefined;
  };
};

const readPages = async (folder: string): Promise<Pages> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = new Map<string, BuiltFile>();
  for (const path of paths) {
    const type = typeOf(path);
    if (type) files.set(`/${relative(folder, path)}`, await readBuilt(path, { type, paths, folder }));
  }
  const index = await readFile(join(folder, 'index.html'), 'utf8');
  const openIndex = index.replace(shell, '');
  // With this, the page does not ask who is signed in: a refusal would be an error in the console.
  const strangersIndex = openIndex.replace('<html', '<html data-session="none"');
  return { index, openIndex, strangersIndex, files };
};

const typeOf = (path: string): string | undefined => /\.(js|css|svg|png|woff2)$/.exec(path)?.[1];

const readBuilt = async (
  path: string,
  { type, paths, folder }: { type: string; paths: readonly string[]; folder: string },
): Promise<BuiltFile> => {
  const compressed = async (suffix: string) =>
    paths.includes(`${path}${suffix}`) ? await readFile(`${path}${suffix}`) : undefined;
  return createBuiltFile({
    type,
    bytes: await readFile(path),
    br: await compressed('.br'),
    gzip: await compressed('.gz'),
    isHashed: path.startsWith(join(folder, 'assets/')),
  });
};
