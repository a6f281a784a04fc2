import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startCliApi, type CliApi } from './api.ts';
import { parleyHere } from './parley.ts';

type Replay = { id: string; status: string; total: number; pace: number; filter: object };

let api: CliApi['api'];
let env: CliApi['env'];
let account: CliApi['account'];
let stop: CliApi['stop'];
let webhookId: string;

beforeAll(async () => {
  ({ api, env, account, stop } = await startCliApi());
  webhookId = await insertWebhook(api.deps, { accountId: account.accountId, url: 'https://127.0.0.1/hook' });
});
afterAll(() => stop());

const replays = async (...args: string[]): Promise<Replay> =>
  (await parleyHere(env, '--json', 'replays', ...args)).json() as Replay;

const aFailed = () => aDelivery(api.db, { accountId: account.accountId, webhookId, status: 'failed' });

test('deliveries replay begins a new round that the next sweep starts, and refuses a second one', async () => {
  const id = await aFailed();
  const args = ['deliveries', 'replay', showId('delivery', id)];
  expect(await parleyHere(env, ...args)).toMatchObject({ code: 0, stderr: '' });
  const [row] =
    await api.db`select status, round, sweep_at < now() + interval '6 seconds' as soon from deliveries where id = ${id}`;
  expect(row).toEqual({ status: 'pending', round: 2, soon: true });
  expect(await parleyHere(env, ...args)).toMatchObject({ code: 1, stderr: 'This delivery is already in progress.\n' });
  expect((await parleyHere(env, 'deliveries', 'replay', showId('delivery', newUuid()))).code).toBe(1);
});

test('replays start, list, show, pause, resume and cancel', async () => {
  await aFailed();
  const webhook = showId('webhook', webhookId);
  const args = ['--webhook', webhook, '--status', 'failed', '--since', '2026-01-01T00:00:00Z', '--pace', '5'];
  const replay = await replays('start', ...args);
  expect(replay).toMatchObject({ status: 'running', total: 1, pace: 5 });
  expect(replay.filter).toMatchObject({ webhook_id: webhook, status: ['failed'], since: '2026-01-01T00:00:00.000Z' });
  const [row] = await api.db`
    select sweep_at < now() + interval '6 seconds' as soon from replays where id = ${readId('replay', replay.id)}`;
  expect(row).toEqual({ soon: true });
  expect((await parleyHere(env, 'replays', 'list')).stdout).toContain(replay.id);
  expect(await replays('pause', replay.id)).toMatchObject({ status: 'paused' });
  expect(await replays('resume', replay.id)).toMatchObject({ status: 'running' });
  expect(await replays('cancel', replay.id)).toMatchObject({ status: 'cancelled' });
  expect((await parleyHere(env, 'replays', 'show', replay.id)).stdout).toContain('cancelled');
  expect((await parleyHere(env, 'replays', 'resume', replay.id)).code).toBe(1);
  expect(await replays('start')).toMatchObject({ pace: 20, filter: { webhook_id: null, since: null } });
});

test.each([
  ['--pace', '0'],
  ['--status', 'pending'],
  ['--since', 'yesterday'],
  ['--webhook', 'x'],
])('replays start %s %s is wrong usage', async (...args) => {
  expect((await parleyHere(env, 'replays', 'start', ...args)).code).toBe(2);
});
