import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { tempFolder } from '../helpers/temp-folder.ts';
import { startCliApi, type CliApi } from './api.ts';
import { parleyHere, type Env } from './parley.ts';
import { disableWebhook, setDisabledAt } from '../helpers/states/webhooks.ts';

let cli: CliApi;
let env: Env;
let receiver: Receiver;
let id: string;
let shown: string;

beforeAll(async () => {
  [cli, receiver] = await Promise.all([startCliApi(), startReceiver()]);
  const ca = join(tempFolder('cli-webhooks'), 'ca.pem');
  await writeFile(ca, receiver.caPem);
  env = { ...cli.env, EGRESS_ALLOW: '127.0.0.0/8', EGRESS_CA_FILE: ca };
});
afterAll(() => Promise.all([cli.stop(), receiver.close()]));
beforeEach(async () => {
  const { accountId } = cli.account;
  id = await insertWebhook(cli.api.deps, { accountId, url: receiver.url('/hook') });
  shown = showId('webhook', id);
  for (const status of ['failed', 'parked'] as const) {
    await aDelivery(cli.api.db, { accountId, webhookId: id, status, body: `{"was":"${status}"}` });
  }
  await disableWebhook(cli.api.db, id);
  // Some time ago.
  await setDisabledAt(cli.api.db, id, '2026-01-02T03:04:05Z');
  receiver.requests.length = 0;
  receiver.respondWith(200);
});

const parley = (...args: string[]) => parleyHere(env, 'webhooks', ...args);

test('webhooks show tells why and since when one is disabled, what waits for it, and the command that helps', async () => {
  const { code, stdout } = await parley('show', shown);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Status +disabled \(failures\) since 2026-01-02T03:04:05\.000Z$/m);
  expect(stdout).toMatch(/^Parked +1$/m);
  expect(stdout).toContain(`parley webhooks re-enable ${shown} --replay all`);
  expect((await parley('show', shown, '--json')).json()).toMatchObject({
    id: shown,
    variant: 'api',
    disabled_reason: 'failures',
    backlog: { parked: 1 },
    last_check: null,
  });
});

test('webhooks re-enable asks the endpoint, makes the webhook active, and begins the replay that a running service carries', async () => {
  const { code, stdout } = await parley('re-enable', shown, '--replay', 'all');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(`^${shown} is active again\\. rpl_\\w+ sends 1 parked, 1 failed and 0 dropped\\.\\n$`),
    ),
  });
  expect(receiver.requests.map(({ rawBody }) => rawBody.toString())).toEqual(['{"was":"parked"}']);
  expect(
    await cli.api
      .db`select total, sweep_at < now() + interval '6 seconds' as soon from replays where webhook_id = ${id}`,
  ).toEqual([{ total: 2, soon: true }]);
  expect(await parley('re-enable', shown)).toMatchObject({ code: 1, stderr: 'This webhook is active.\n' });
});

test('while the endpoint fails it stays disabled, the command says what came back, and its exit code is 1', async () => {
  receiver.respondWith(500);
  const { code, stdout } = await parley('re-enable', shown);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringMatching(
      new RegExp(`^${shown} stays disabled\\. Its endpoint: answered 500 after \\d+ ms\\.\\n$`),
    ),
  });
  expect((await parley('show', shown)).stdout).toMatch(/^Last check .*answered 500/m);
});

test('a parked delivery says what stands against sending it; a plan that comes back offers the replay', async () => {
  const { accountId, apiKey: key } = cli.account;
  const [parked] = await cli.api.db<{ id: string }[]>`
    select id from deliveries where webhook_id = ${id} and status = 'parked' order by id limit 1`;
  const delivery = showId('delivery', parked?.id ?? '');
  const status = async () => {
    const { stdout } = await parleyHere(env, 'deliveries', 'show', delivery);
    const answer = await cli.api.request<{ parked_reason: string }>('GET', `/v1/deliveries/${delivery}`, { key });
    expect(stdout).toMatch(new RegExp(`^Status +parked \\(${answer.body.parked_reason}\\)$`, 'm'));
    return answer.body.parked_reason;
  };
  const account = showId('account', accountId);
  const setPlan = (plan: string) => parleyHere(env, 'accounts', 'set-plan', account, plan);
  expect(await status()).toBe('webhook_disabled');
  await parley('re-enable', shown);
  const { stdout: checked } = await parleyHere(env, 'deliveries', 'show', delivery);
  expect(checked).toMatch(/ health check \d+ +succeeded: HTTP 200 /);
  await setPlan('free');
  expect(await status()).toBe('plan_lapsed');
  const { stdout } = await setPlan('pro');
  expect(stdout).toMatch(/^Parked deliveries ready to send: [1-9]\d*\. /m);
  expect(stdout).toContain(`parley replays start --account ${account} --status parked`);
  expect(await status()).toBe('awaiting_replay');
});

test('webhooks delete ends what is unfinished as cancelled; it is not there any more', async () => {
  expect(await parley('delete', shown)).toMatchObject({ code: 0, stdout: expect.stringContaining('is deleted') });
  expect(await cli.api.db`select 1 from deliveries where webhook_id = ${id} and status = 'cancelled'`).toHaveLength(1);
  for (const command of ['show', 'delete', 're-enable']) expect((await parley(command, shown)).code).toBe(1);
  expect((await parley('show', showId('webhook', newUuid()))).code).toBe(1);
  expect((await parley('re-enable', shown, '--replay', 'yesterday')).code).toBe(2);
});
