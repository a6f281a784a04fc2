import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Config } from '../../shared/platform/config.ts';
import { codeOf } from '../../shared/platform/error-code.ts';
import { notFound } from '../../shared/errors.ts';
import { createRouter, type ApiContext, type ApiRouter } from '../http.ts';

/** Made by `npm run build`, of the package that has the page. */
const built = fileURLToPath(new URL('../../../dist/api-reference.js.gz', import.meta.url));

/** The page may run its own scripts and ask this host, and nothing else; its styles are made as it goes. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Parley API</title>
    <link rel="icon" href="data:,">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript; <a href="/openapi.json">/openapi.json</a> does not.</noscript>
    <script src="/docs/api-reference.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** Requests can be tried on the page where the API is on its host; elsewhere the browser would not let it ask. */
const startScript = ({ baseUrl, apiUrl }: Pick<Config, 'baseUrl' | 'apiUrl'>): string => {
  const settings = {
    url: '/openapi.json',
    layout: 'modern',
    telemetry: false,
    withDefaultFonts: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    hideTestRequestButton: baseUrl !== apiUrl,
  };
  return `Scalar.createApiReference('#reference', ${JSON.stringify(settings)});\n`;
};

/** `/docs`: the OpenAPI document as a page to read and search, which asks nobody else. */
export const docsRoutes = (
  config: Pick<Config, 'baseUrl' | 'apiUrl'>,
  { program = built }: { program?: string } = {},
): ApiRouter => {
  const router = createRouter();
  const start = startScript(config);
  let kept: Program | undefined;

  router.get('/docs', async (ctx) => {
    ctx.set('Content-Security-Policy', policy);
    ctx.type = 'html';
    ctx.body = page;
  });
  router.get('/docs/start.js', async (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = start;
  });
  router.get('/docs/api-reference.js', async (ctx) => {
    kept ??= await readProgram(program);
    sendProgram(ctx, kept);
  });
  return router;
};

/** All answers share the same bytes: of its own, each would hold megabytes for as long as its client does not read. */
type Program = { compressed: Buffer; plain: Buffer; etag: string };

const readProgram = async (program: string): Promise<Program> => {
  const compressed = await readFile(program).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? notFound('page: `npm run build` makes it') : error;
  });
  const etag = `"${createHash('sha256').update(compressed).digest('base64url').slice(0, 22)}"`;
  return { compressed, plain: gunzipSync(compressed), etag };
};

const sendProgram = (ctx: ApiContext, { compressed, plain, etag }: Program): void => {
  // A megabyte: kept by browsers, and asked for anew when it has changed.
  ctx.set({ 'Cache-Control': 'no-cache', ETag: etag, Vary: 'Accept-Encoding' });
  ctx.type = 'text/javascript';
  ctx.status = 200;
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
    ctx.set('Content-Encoding', 'gzip');
    ctx.body = compressed;
  } else {
    ctx.body = plain;
  }
};
