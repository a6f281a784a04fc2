import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpoint } from '../../src/api/endpoint.ts';
import { createResource } from '../../src/api/resource.ts';
import type { ApiDeps } from '../../src/api/http.ts';
import { listOf, listQuery, showPage } from '../../src/api/lists.ts';
import { resources } from '../../src/api/resources.ts';
import { codec, id } from '../../src/shared/codec.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';

const bell = { name: 'bell', prefix: 'bell' };
const { body: bellBody, show: showBell } = codec({ id: id(bell) });

/** A resource with a noun of its own, as the folder of one would have it. */
const bellRoutes = (deps: ApiDeps) => {
  const bells = createResource(deps, {
    tag: { name: 'Bells', description: 'What rings.' },
    doors: ['v1', 'dashboard'],
  });
  const rows = new Map<string, { id: string }[]>();
  endpoint(
    bells,
    {
      id: 'listBells',
      method: 'get',
      path: '/bells',
      summary: 'List bells',
      role: 'agent',
      query: listQuery,
      answers: { 200: listOf(bellBody) },
    },
    ({ principal: { accountId }, query }) => showPage(query, async () => rows.get(accountId) ?? [], showBell),
  );
  endpoint(
    bells,
    {
      id: 'ringBell',
      method: 'post',
      path: '/bells/:id/ring',
      summary: 'Ring a bell',
      role: 'editor',
      noun: bell,
      idempotent: true,
      answers: { 201: bellBody },
    },
    async ({ principal: { accountId }, id }) => {
      rows.set(accountId, [{ id }]);
      return showBell({ id });
    },
  );
  return bells;
};

const api = await useApi({ resources: [...resources, bellRoutes] });
const { apiKey, session } = await api.createAccount();

test('a resource is served and documented behind the doors that it names, by what its folder says and its line in the list', async () => {
  const rung = showId(bell, newUuid());
  expect(await api.request('POST', `/v1/bells/${rung}/ring`, { key: apiKey })).toMatchObject({
    status: 201,
    body: { id: rung },
  });
  expect(await api.request('POST', '/v1/bells/x/ring', { key: apiKey })).toMatchObject({
    status: 404,
    body: { error: { message: 'No such bell.' } },
  });
  expect(await api.request('GET', '/dashboard/api/bells', { session })).toMatchObject({
    status: 200,
    body: { data: [{ id: rung }] },
  });
  const { body } = await api.request('GET', '/openapi.json');
  expect(body).toMatchObject({
    tags: expect.arrayContaining([
      { name: 'Bells', description: 'What rings.' },
      { name: 'Dashboard: Bells', description: 'What rings.' },
    ]),
    paths: {
      '/v1/bells': { get: { tags: ['Bells'] } },
      '/dashboard/api/bells': { get: { tags: ['Dashboard: Bells'] } },
    },
  });
});

test('every router that makes a resource is in the list', () => {
  const makers = globSync('src/api/routes/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^export const (\w+) = \([^=]*\): Resource =>/gm)].map(
      ([, name = '']) => name,
    ),
  );
  expect(makers.toSorted()).toEqual(resources.map(({ name }) => name).toSorted());
});

test('no two nouns share a prefix, and a tag has one description', () => {
  const [, listed = ''] = /const prefixes = \{(.*?)\}/s.exec(readFileSync('src/shared/ids.ts', 'utf8')) ?? [];
  const own = globSync('src/**/*.ts').flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/\{\s*name: '\w+',\s*prefix: '(\w+)',?\s*\}/g),
  ]);
  const prefixes = [...listed.matchAll(/: '(\w+)'/g), ...own].map(([, prefix = '']) => prefix);
  expect(prefixes).toEqual(expect.arrayContaining(['acc', 'note']));
  expect(prefixes.toSorted()).toEqual([...new Set(prefixes)].toSorted());
  const tags = resources.map((make) => make(api.deps).tag);
  const descriptions = new Set(tags.map(({ name, description }) => `${name}: ${description}`));
  expect(descriptions.size).toBe(new Set(tags.map(({ name }) => name)).size);
});
