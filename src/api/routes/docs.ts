import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Config } from '../../shared/platform/config.ts';
import { createBuiltFile, readOnce, sendBuiltFile, type BuiltFile } from '../built-files.ts';
import { createRouter, type ApiRouter } from '../http.ts';

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
  const read = readOnce(() => readProgram(program));

  router.get('/docs', async (ctx) => {
    ctx.set('Content-Security-Policy', policy);
    ctx.type = 'html';
    ctx.body = page;
  });
  router.get('/docs/start.js', async (ctx) => {
    ctx.type = 'text/javascript';
    ctx.body = start;
  });
  router.get('/docs/api-reference.js', async (ctx) => sendBuiltFile(ctx, await read()));
  return router;
};

const readProgram = async (program: string): Promise<BuiltFile> => {
  const gzip = await readFile(program);
  return createBuiltFile({ type: 'js', bytes: gunzipSync(gzip), gzip, isHashed: false });
};
