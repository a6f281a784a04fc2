import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Webhook } from '../../../packages/verify/src/index.ts';
import { signDelivery } from '../../../src/shared/signing/signature.ts';
import { listen } from '../../helpers/receiver.ts';
import { tempFolder } from '../../helpers/temp-folder.ts';
import { apiBody, secret } from './requests.ts';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../../../', import.meta.url));
const source = join(project, 'packages/verify');
const tsc = join(project, 'node_modules/@typescript/native/bin/tsc');
const handled = vi.fn<(webhook: Webhook) => void>();
let folder: string;

/** As much of Express as its example uses, on node:http: Express itself is no dependency of this project. */
const expressOnNode = `
import { buffer } from 'node:stream/consumers';
export default function express() {
  let handlers;
  const app = async (request, response) => {
    response.status = (status) => Object.assign(response, { statusCode: status });
    response.set = (headers) => response.setHeaders(new Headers(headers));
    response.send = (body) => response.end(body);
    const next = (error) => (error ? response.status(500).end() : handlers.shift()(request, response, next));
    handlers = [...app.handlers];
    await next();
  };
  app.post = (path, ...given) => void (app.handlers = given);
  return app;
}
express.raw = () => async (request, response, next) => {
  request.body = await buffer(request);
  await next();
};
`;

/** A project with the built package in it, and the examples of its README as files. */
beforeAll(async () => {
  folder = tempFolder('verify');
  const installed = join(folder, 'node_modules/@parley/verify');
  await mkdir(installed, { recursive: true });
  await cp(join(source, 'package.json'), join(installed, 'package.json'));
  await run(process.execPath, [tsc, '-p', source, '--outDir', join(installed, 'dist')]);
  await symlink(join(project, 'node_modules/koa'), join(folder, 'node_modules/koa'));
  await mkdir(join(folder, 'node_modules/express'));
  await writeFile(join(folder, 'node_modules/express/index.mjs'), expressOnNode);
  await writeFile(join(folder, 'node_modules/express/package.json'), '{"exports":"./index.mjs"}');
  await writeFile(
    join(folder, 'handle.mjs'),
    'export const handle = (webhook) => globalThis.handledByExample(webhook);',
  );
  const readme = await readFile(join(source, 'README.md'), 'utf8');
  for (const [, name = '', code = ''] of readme.matchAll(/```js\n\/\/ (\w+\.mjs)\n([^]+?)```/g))
    await writeFile(join(folder, name), code);
  vi.stubEnv('WEBHOOK_SECRET', secret);
  vi.stubGlobal('handledByExample', handled);
});

afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(() => handled.mockReset());

type Receive = (request: Request) => Promise<Response>;

const load = async <Default>(name: string): Promise<Default> => {
  const module = (await import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href)) as { default: Default };
  return module.default;
};

/** Sends a request on to a real HTTP server. */
const served =
  (listener: RequestListener): Receive =>
  async (request) => {
    const server = createServer(listener);
    const port = await listen(server);
    const { method, headers } = request;
    const response = await fetch(`http://127.0.0.1:${port}/hook`, { method, headers, body: await request.bytes() });
    const whole = new Response(await response.bytes(), response);
    server.close();
    return whole;
  };

const examples: Record<string, () => Promise<Receive>> = {
  Express: async () => served(await load<RequestListener>('express.mjs')),
  Koa: async () => served((await load<{ callback: () => RequestListener }>('koa.mjs')).callback()),
  Fetch: async () => {
    const { fetch: receive } = await load<{ fetch: (request: Request, env: object) => Promise<Response> }>('fetch.mjs');
    return (request) => receive(request, { WEBHOOK_SECRET: secret });
  },
};

const post = (body: string, key = secret): Request => {
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const headers = signDelivery({ secret: key, body: Buffer.from(body), id: 'dlv_1', timestampSeconds });
  return new Request('http://receiver/hook', { method: 'POST', headers, body });
};

test.each(Object.keys(examples))('the %s example answers as Parley wants, on the built package', async (name) => {
  const receive = await examples[name]?.();
  if (!receive) throw new Error(`no example ${name}`);

  const challenged = await receive(post('{"challenge":"x"}'));
  expect(challenged.headers.get('content-type')).toMatch('application/json');
  expect({ status: challenged.status, body: await challenged.json() }).toEqual({
    status: 200,
    body: { challenge: 'x' },
  });

  const forged = await receive(post(apiBody, 'another'));
  expect({ status: forged.status, body: await forged.text() }).toMatchObject({
    status: 401,
    body: expect.stringContaining('does not match'),
  });
  expect(handled).not.toHaveBeenCalled();

  for (const _ of ['once', 'again']) expect((await receive(post(apiBody))).status).toBe(200);
  expect(handled).toHaveBeenCalledOnce();
  expect(handled).toHaveBeenCalledWith({ type: 'api', id: 'dlv_1', envelope: JSON.parse(apiBody) });
});

/** Compiles as a strict consumer without Node's types does; rejects with what the compiler says. */
const compileConsumer = async (code: string): Promise<void> => {
  await writeFile(join(folder, 'consumer.mts'), code);
  const options = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022', '--types', ''];
  await run(process.execPath, [tsc, '--noEmit', '--skipLibCheck', 'false', ...options, 'consumer.mts'], {
    cwd: folder,
  });
};

test('the built package gives strict TypeScript its types, without those of Node', async () => {
  const consumer = compileConsumer(`
    import { verifyWebhook } from '@parley/verify';
    import { verifyWebhook as verifyOnTheWeb } from '@parley/verify/web';
    export const text = (body: Uint8Array, headers: { get: (name: string) => string | null }): string => {
      const webhook = verifyWebhook({ body, headers, secrets: ['a', 'b'] });
      if (webhook.type === 'api' && webhook.envelope.event === 'new_message') return webhook.envelope.data.message.text;
      return '';
    };
    export const both: Promise<ReturnType<typeof verifyWebhook>> = verifyOnTheWeb({ body: '', headers: {}, secrets: 'a' });
  `);
  await expect(consumer).resolves.toBeUndefined();
});

test("the built package's types refuse a variant B envelope taken for variant A's", async () => {
  const mistaken = compileConsumer(`
    import { verifyWebhook } from '@parley/verify';
    const webhook = verifyWebhook({ body: '', headers: {}, secrets: 'a' });
    export const data = webhook.type === 'dashboard' && webhook.envelope.data;
  `);
  await expect(mistaken).rejects.toMatchObject({ stdout: expect.stringMatching(/Property 'data' does not exist/) });
});
