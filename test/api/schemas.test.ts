import { expect, test } from 'vitest';
import { blocks } from '../../src/shared/flows/blocks/index.ts';
import { useApi } from '../helpers/api.ts';

const api = await useApi();

test('/schemas/flow.json is the JSON Schema of a definition with every block, for anyone', async () => {
  const answer = await api.request<{ $id: string; properties: object }>('GET', '/schemas/flow.json');
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/schema+json']);
  expect(answer.body).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `${api.url}/schemas/flow.json`,
  });
  for (const { type } of blocks) expect(answer.text).toContain(`"const":"${type}"`);
});

test('/docs has the reference of every block, once', async () => {
  const { body } = await api.request<{ tags: { name: string; description: string }[] }>('GET', '/openapi.json');
  const description = body.tags.find(({ name }) => name === 'Blocks')?.description ?? '';
  for (const { type, summary } of blocks) expect(description).toContain(`## ${type}\n\n${summary}`);
  expect(body.tags.filter((tag) => tag.description.includes('## send'))).toHaveLength(1);
});
