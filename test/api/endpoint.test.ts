import Koa from 'koa';
import { request } from 'undici';
import { z } from 'zod';
import { expect, onTestFinished, test } from 'vitest';
import { routesOf } from '../../src/api/doors.ts';
import { endpoint } from '../../src/api/endpoint.ts';
import { createResource } from '../../src/api/resource.ts';
import type { ApiState } from '../../src/api/http.ts';
import { errors } from '../../src/api/middleware/errors.ts';
import { createOpenApi } from '../../src/api/openapi.ts';
import { mayAs } from '../../src/api/roles.ts';
import { listen } from '../../src/service/listen.ts';
import { newUuid } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';

const api = await useApi();

const declared = { tag: { name: 'Words', description: 'What is said.' }, doors: [] };

const small = {
  id: 'sayWord',
  method: 'post',
  path: '/word',
  summary: 'Say a word',
  role: 'anyone',
  body: z.strictObject({ word: z.string().max(2048) }),
  bodyLimit: 1024,
  answers: { 200: z.object({ said: z.string() }) },
} as const;

test('a body is read as far as its operation declares, 413 beyond, and the document says how far', async () => {
  const words = createResource(api.deps, declared);
  endpoint(words, small, async ({ body }) => ({ said: body.word }));
  const app = new Koa<ApiState>().use(errors(api.deps.log));
  for (const step of routesOf({ prefix: '', routers: [words.router] })) app.use(step);
  const server = await listen(app.callback(), { name: 'PORT', host: '127.0.0.1', port: 0 });
  onTestFinished(() => server.stop());
  const say = async (word: string) => {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ word });
    const answer = await request(`http://127.0.0.1:${server.port}/word`, { method: 'POST', headers, body });
    return [answer.statusCode, await answer.body.json()];
  };
  const fits = 'a'.repeat(1024 - '{"word":""}'.length);
  expect(await say(fits)).toEqual([200, { said: fits }]);
  expect(await say(`${fits}a`)).toMatchObject([413, { error: { message: 'The body is larger than 1 KiB.' } }]);
  const document = createOpenApi([{ prefix: '', url: api.url, security: undefined, resources: [words] }]);
  expect(document.paths?.['/word']?.post?.requestBody).toMatchObject({ description: 'At most 1 KiB.' });
});

test('an operation that declares no good answer, or several of which one would be kept, is no operation', () => {
  const words = createResource(api.deps, declared);
  const declare = (answers: Record<number, null>) => () =>
    endpoint(words, { ...small, idempotent: true, answers }, async () => {});
  expect(declare({})).toThrow('sayWord declares no good answer');
  expect(declare({ 200: null, 204: null })).toThrow('sayWord declares several good answers');
});

test('a role may what it and those below it may, and an API key what an editor may', () => {
  const askers = { owner: { role: 'owner' }, editor: { role: 'editor' }, agent: { role: 'agent' }, key: {} } as const;
  const allowed = (least: 'owner' | 'editor' | 'agent') =>
    Object.entries(askers).flatMap(([name, asker]) =>
      mayAs(least, { accountId: newUuid(), plan: 'pro', ...asker }) ? [name] : [],
    );
  expect(allowed('owner')).toEqual(['owner']);
  expect(allowed('editor')).toEqual(['owner', 'editor', 'key']);
  expect(allowed('agent')).toEqual(['owner', 'editor', 'agent', 'key']);
});
