import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { aFlow, anotherVersion } from '../helpers/live-flows.ts';
import { haveManyFailed } from '../helpers/states/runs.ts';
import { startCliApi, type CliApi } from './api.ts';
import { parleyHere } from './parley.ts';

type Retry = { id: string; status: string; total: number; version: number };

let api: CliApi['api'];
let env: CliApi['env'];
let stop: CliApi['stop'];
let flow: string;

const blocks = (text: string) => [{ id: 'stock', type: 'send', messages: [{ text }] }];

beforeAll(async () => {
  const started = await startCliApi();
  ({ api, env, stop } = started);
  const { accountId, apiKey: key } = started.account;
  await api.request('POST', '/v1/contacts', { key, body: { first_name: 'Ada' } });
  const flowId = await aFlow(api.db, accountId, { blocks: blocks('in stock') });
  await haveManyFailed(api.db, { flowId, blockId: 'stock', count: 3 });
  await anotherVersion(api.db, { accountId, flowId, blocks: blocks('fixed') });
  flow = showId('flow', flowId);
});
afterAll(() => stop());

const retries = async (...args: string[]): Promise<Retry> =>
  (await parleyHere(env, '--json', 'retries', ...args)).json() as Retry;

test('retries start, list, show, pause, resume and cancel', async () => {
  const args = ['--flow', flow, '--block', 'stock', '--reasons', 'status_500', '--from-versions', '1,2', '--pace', '5'];
  const retry = await retries('start', ...args);
  const filter = { flow_id: flow, block_id: 'stock', reasons: ['status_500'], from_versions: [1, 2], pace: 5 };
  expect(retry).toMatchObject({ status: 'running', total: 3, version: 2, ...filter });
  const [row] = await api.db`
    select sweep_at < now() + interval '6 seconds' as soon from retries where id = ${readId('retry', retry.id)}`;
  expect(row).toEqual({ soon: true });
  expect((await parleyHere(env, 'retries', 'list', '--flow', flow)).stdout).toContain(retry.id);
  expect((await parleyHere(env, 'retries', 'start', '--flow', flow, '--block', 'stock')).code).toBe(1);
  expect(await retries('pause', retry.id)).toMatchObject({ status: 'paused' });
  expect(await retries('resume', retry.id)).toMatchObject({ status: 'running' });
  expect(await retries('cancel', retry.id)).toMatchObject({ status: 'cancelled' });
  const { stdout } = await parleyHere(env, 'retries', 'show', retry.id);
  expect(stdout).toContain('cancelled');
  expect(stdout).toContain('0 of 3, 0 refused, 5 a second');
  expect((await parleyHere(env, 'retries', 'resume', retry.id)).code).toBe(1);
  const some = ['--flow', flow, '--block', 'stock', '--version', '1', '--reasons', 'timeout'];
  expect(await retries('start', ...some)).toMatchObject({ total: 0, version: 1, pace: 20, from_versions: null });
});

test('retries start refuses an unknown flow, and a block that the version lacks', async () => {
  const unknown = ['--flow', showId('flow', newUuid()), '--block', 'stock'];
  for (const args of [
    unknown,
    ['--flow', flow, '--block', 'none'],
    ['--flow', flow, '--block', 'stock', '--version', '9'],
  ])
    expect((await parleyHere(env, 'retries', 'start', ...args)).code).toBe(1);
});

test.each([
  ['--pace', '0'],
  ['--version', 'x'],
  ['--from-versions', '1,x'],
  ['--flow', 'x'],
])('retries start %s %s is wrong usage', async (...args) => {
  expect((await parleyHere(env, 'retries', 'start', '--flow', flow, '--block', 'stock', ...args)).code).toBe(2);
});

test('runs list shows the runs that failed at a block', async () => {
  const { stdout } = await parleyHere(
    env,
    '--json',
    'runs',
    'list',
    '--flow',
    flow,
    '--status',
    'failed',
    '--block',
    'stock',
  );
  expect(JSON.parse(stdout)).toMatchObject({ data: [{ block_id: 'stock' }, {}, {}] });
});
