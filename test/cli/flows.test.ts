import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startCliApi, type CliApi } from './api.ts';
import { parleyHere } from './parley.ts';

let api: CliApi['api'];
let env: CliApi['env'];
let account: CliApi['account'];
let stop: CliApi['stop'];

beforeAll(async () => {
  ({ api, env, account, stop } = await startCliApi());
});
afterAll(() => stop());

const flows = (...args: string[]) => parleyHere(env, 'flows', ...args);
const flowsAsJson = async (...args: string[]) => (await parleyHere(env, '--json', 'flows', ...args)).json();

test('flows publish makes the draft live, list shows it, and one that is not there is told', async () => {
  const { id: flow } = await flowCalls(api, account).create(aFlowDefinition(), 'Shirts');
  const published = await flows('publish', flow);
  expect(published).toMatchObject({ code: 0, stderr: '' });
  expect(published.stdout).toContain('is live');
  const listed = (await flows('list')).stdout;
  expect(listed).toMatch(new RegExp(`${flow} +Shirts +live +1 +published`));
  expect(await flows('publish', showId('flow', newUuid()))).toMatchObject({ code: 1, stderr: 'No such flow.\n' });
});

test('flows publish says everything that is wrong, and exits with 1', async () => {
  const { id } = await flowCalls(api, account).create({ blocks: [{ id: 'a', type: 'clear_field', field: 'siz' }] });
  const refused = await flows('publish', id);
  expect(refused.code).toBe(1);
  expect(refused.stdout.split('\n')).toEqual(
    expect.arrayContaining([
      'Not published. The draft has errors:',
      'error  start is required: the block that every run begins with',
      'error  blocks.0.field is not a field of the account',
    ]),
  );
  expect(await flowsAsJson('publish', id)).toMatchObject({
    error: { code: 'invalid_request', details: expect.any(Array) },
  });
});

test('flows export prints what flows import takes', async () => {
  const { id } = await flowCalls(api, account).createLive(aFlowDefinition({ text: 'Hi' }), 'Travels');
  const path = join(tempFolder('flows'), 'flow.json');
  await writeFile(path, (await flows('export', id)).stdout);
  const imported = await flowsAsJson('import', path);
  expect(imported).toMatchObject({ flow: { name: 'Travels', status: 'draft' }, made: { fields: [] }, missing: [] });
  expect(await flowsAsJson('export', id, '--flow-version', '1')).toMatchObject({
    definition: aFlowDefinition({ text: 'Hi' }),
  });
  expect((await flows('export', id, '--flow-version', '2')).code).toBe(1);
  expect((await flows('export', id, '--flow-version', 'x')).code).toBe(2);
});

test.each([
  ['no JSON', '{', 'This file is not JSON.'],
  ['another document', '{"name": "x"}', 'This file is not an exported flow'],
])('flows import refuses %s', async (_, text, message) => {
  const path = join(tempFolder('flows'), 'flow.json');
  await writeFile(path, text);
  const refused = await flows('import', path);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(message)]);
});
