import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import Koa from 'koa';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { errors } from '../../src/api/middleware/errors.ts';
import { docsRoutes } from '../../src/api/routes/docs.ts';
import { dashboardPages } from '../../src/api/routes/pages.ts';
import { listen } from '../../src/service/listen.ts';
import { tempFolder } from '../helpers/temp-folder.ts';

/** What serves built files from `place`, which is not there yet; `build` makes it, `spoil` something that cannot be read as what it should be. */
const served = {
  pages: {
    path: '/settings',
    serve: (folder: string) => dashboardPages(here, { folder }),
    build: (folder: string) => {
      mkdirSync(folder);
      writeFileSync(join(folder, 'index.html'), '<!doctype html>');
    },
    spoil: (folder: string) => writeFileSync(folder, ''),
  },
  docs: {
    path: '/docs/api-reference.js',
    serve: (program: string) => docsRoutes(here, { program }).routes(),
    build: (program: string) => writeFileSync(program, gzipSync('start()')),
    spoil: (program: string) => mkdirSync(program),
  },
};

/** A server that is asked by its address. */
const here = { baseUrl: 'http://127.0.0.1', apiUrl: 'http://127.0.0.1' };

const start = async ({ serve, path }: (typeof served)['pages' | 'docs']) => {
  const folder = tempFolder('built');
  const place = join(folder, 'built');
  const logged: string[] = [];
  const log = pino(new Writable({ write: (line, _, done) => done(void logged.push(String(line))) }));
  const app = new Koa().use(errors(log)).use(serve(place));
  const server = await listen(app.callback(), { name: 'PORT', host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });
  const ask = async () => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { accept: 'text/html' } });
    return { status: answer.status, text: await answer.text() };
  };
  return { place, logged, ask };
};

test.for(['pages', 'docs'] as const)(
  'of %s that are not built the answer is 404 and what builds them, and they are there as soon as they are',
  async (name) => {
    const { place, logged, ask } = await start(served[name]);
    const answer = await ask();
    expect([answer.status, logged]).toEqual([404, []]);
    expect(answer.text).toContain('`npm run build` makes it');
    served[name].build(place);
    expect((await ask()).status).toBe(200);
  },
);

test.for(['pages', 'docs'] as const)(
  'that built %s cannot be read is a fault of ours: 500, logged whole, until they can be',
  async (name) => {
    const { place, logged, ask } = await start(served[name]);
    served[name].spoil(place);
    const answer = await ask();
    expect(answer.status).toBe(500);
    expect(answer.text).toContain('"internal_error"');
    expect(logged.join()).toMatch(/"code":"(ENOTDIR|EISDIR)"/);
    rmSync(place, { recursive: true });
    served[name].build(place);
    expect((await ask()).status).toBe(200);
  },
);
