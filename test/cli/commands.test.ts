import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { noEvidence, recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import { endRound } from '../../src/shared/deliveries/rounds.ts';
import { startRounds } from '../../src/shared/deliveries/replay.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { shareWebhooks } from '../../src/shared/webhooks/locks.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startCliApi, type CliApi } from './api.ts';
import { parley, parleyHere } from './parley.ts';

const rows = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

let api: CliApi['api'];
let env: CliApi['env'];
let account: CliApi['account'];
let stop: CliApi['stop'];
let accountId: string;

beforeAll(async () => {
  ({ api, env, account, stop } = await startCliApi());
  accountId = showId('account', account.accountId);
});
afterAll(() => stop());

const createWebhook = async (key: string): Promise<{ status: number; id: string }> => {
  const body = { url: 'https://127.0.0.1:9/hook', events: ['*'], secret: 'choose-a-long-secret' };
  const answer = await api.request<{ id: string }>('POST', '/v1/webhooks', { key, body });
  return { status: answer.status, id: answer.body.id };
};

describe('accounts', () => {
  test('create --json answers exactly the four fields; the key opens the API, the password the dashboard', async () => {
    const asked = ['--name', 'Ada & Co', '--email', 'ada@example.com', '--time-zone', 'europe/london'];
    const made = await parley(env, 'accounts', 'create', ...asked, '--json');
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const document = made.json();
    expect(document).toEqual({
      account_id: expect.stringMatching(/^acc_/),
      email: 'ada@example.com',
      password: expect.stringMatching(/^.{16,}$/),
      api_key: expect.stringMatching(/^parley_/),
    });
    const { account_id, email, password, api_key } = z.record(z.string(), z.string()).parse(document);
    const me = await api.request('GET', '/api/accounts/me', { headers: { 'x-access-token': api_key ?? '' } });
    const told = { id: account_id, name: 'Ada & Co', plan: 'pro', time_zone: 'Europe/London' };
    expect(me).toMatchObject({ status: 200, body: told });
    const headers = { origin: api.url };
    const session = await api.request('POST', '/dashboard/api/session', { body: { email, password }, headers });
    expect(session.status).toBe(200);
  });

  test('create says which e-mail address is taken, as a failure and not as wrong usage', async () => {
    const args = ['accounts', 'create', '--name', 'X', '--email', account.email];
    expect(await parleyHere(env, ...args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'This e-mail address is in use already.\n',
    });
    const failed = await parleyHere(env, ...args, '--json');
    expect(failed).toMatchObject({ code: 1, stderr: '' });
    expect(failed.json()).toEqual({ error: { code: 'conflict', message: 'This e-mail address is in use already.' } });
  });

  test('list shows each with its owner, and nothing that is secret', async () => {
    const listed = await parleyHere(env, 'accounts', 'list', '--json');
    const { data } = rows.parse(listed.json());
    expect(data).toContainEqual({
      id: accountId,
      name: 'Acme',
      plan: 'pro',
      webhooks_allowed: true,
      time_zone: 'UTC',
      default_country: null,
      strict_fields: false,
      email: account.email,
      created_at: expect.any(String),
    });
    expect((await parleyHere(env, 'accounts', 'list')).stdout).toMatch(
      new RegExp(`^${accountId}  Acme .*${account.email}`, 'm'),
    );
  });

  test('set-plan is in force with the next request, and waits for whoever is parking by the old plan', async () => {
    const { apiKey, accountId: uuid } = await api.createAccount({ plan: 'pro' });
    await createWebhook(apiKey);
    const parking = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const transaction = api.db.begin(async (sql) => {
      const webhooks = await sql<{ id: string }[]>`select id from webhooks where account_id = ${uuid}`;
      await shareWebhooks(
        sql,
        webhooks.map(({ id }) => id),
      );
      locked.resolve();
      await parking.promise;
    });
    await locked.promise;
    const changing = parleyHere(env, 'accounts', 'set-plan', showId('account', uuid), 'free');
    await untilSomebodyWaits(api.db);
    expect((await createWebhook(apiKey)).status).toBe(201);
    parking.resolve();
    await transaction;
    expect(await changing).toMatchObject({ code: 0, stdout: `${showId('account', uuid)} is on plan free.\n` });
    expect((await createWebhook(apiKey)).status).toBe(403);
  });
});

describe('keys', () => {
  test('one that is created works at once, and one that is revoked not any more', async () => {
    const created = await parleyHere(env, 'keys', 'create', '--name', 'CI', '--account', accountId, '--json');
    const { id, key } = z.object({ id: z.string(), key: z.string() }).parse(created.json());
    const me = () => api.request('GET', '/api/accounts/me', { headers: { 'x-access-token': key } });
    expect((await me()).status).toBe(200);
    expect(await parleyHere(env, 'keys', 'revoke', id)).toMatchObject({ code: 0, stdout: `${id} is revoked.\n` });
    expect((await me()).status).toBe(401);
    const listed = await parleyHere(env, 'keys', 'list', '--account', accountId, '--json');
    expect(rows.parse(listed.json()).data[0]).toMatchObject({ id, revoked_at: expect.any(String) });
    expect(listed.stdout).not.toContain(key);
  });
});

describe('webhooks and deliveries', () => {
  test('are listed by account, status and webhook, newest first', async () => {
    const { accountId: uuid, apiKey } = await api.createAccount();
    const [first, second] = [await createWebhook(apiKey), await createWebhook(apiKey)];
    const owner = ['--account', showId('account', uuid), '--json'];
    const webhooks = (await parleyHere(env, 'webhooks', 'list', ...owner)).json();
    expect(webhooks).toMatchObject({
      data: [
        { id: second.id, variant: 'api', backlog: { pending: 0, retrying: 0, parked: 0 } },
        { id: first.id, status: 'active' },
      ],
    });
    expect(JSON.stringify(webhooks)).not.toContain('choose-a-long-secret');

    const webhookId = newUuid();
    const ids = [];
    for (const status of ['delivered', 'failed', 'dropped'] as const) {
      ids.push(showId('delivery', await aDelivery(api.db, { accountId: uuid, webhookId, status })));
    }
    await aDelivery(api.db, { accountId: uuid, webhookId: newUuid(), status: 'failed' });
    const list = async (...args: string[]) =>
      rows.parse((await parleyHere(env, 'deliveries', 'list', ...owner, ...args)).json()).data;
    const [, failed, dropped] = ids;
    const webhook = showId('webhook', webhookId);
    expect((await list('--webhook', webhook)).map(({ id }) => id)).toEqual(ids.toReversed());
    expect(await list('--webhook', webhook, '--status', 'failed,dropped')).toMatchObject([
      { id: dropped },
      { id: failed },
    ]);
    expect(await list('--limit', '1')).toHaveLength(1);
    expect(await list('--event', 'new_message', '--no-test', '--since', '2026-01-31')).toHaveLength(4);
    for (const none of [['--event', 'new_contact'], ['--test'], ['--until', '2026-01-31']]) {
      expect(await list(...none)).toEqual([]);
    }
    expect(await list('--contact', showId('contact', newUuid()))).toEqual([]);
    expect(await list('--event-id', showId('event', newUuid()))).toEqual([]);
    expect(await list('--message', showId('message', newUuid()))).toEqual([]);
  });

  test('show says which bulk replay began a round, and whether a re-enabling did', async () => {
    const { accountId } = account;
    const deliveryId = await aDelivery(api.db, { accountId, webhookId: newUuid(), status: 'failed' });
    const replayId = newUuid();
    const begunBy = ['bulk_replay', 're_enabling'] as const;
    for (const [index, by] of begunBy.entries()) {
      await api.deps.transact((tx) => startRounds(tx, [deliveryId], { by, replayId }));
      await endRound(api.db, { deliveryId, round: index + 2 }, 'failed');
    }
    const { stdout } = await parleyHere(env, 'deliveries', 'show', showId('delivery', deliveryId));
    const replay = showId('replay', replayId);
    expect(stdout).toMatch(new RegExp(` 2 +replayed by ${replay} *$`, 'm'));
    expect(stdout).toMatch(new RegExp(` 3 +replayed by ${replay}, started by re-enabling the webhook *$`, 'm'));
  });

  test('show says of an attempt that failed with tls what is wrong, and what helps', async () => {
    const delivery = { accountId: account.accountId, webhookId: newUuid(), status: 'pending', body: '{}' } as const;
    const deliveryId = await aDelivery(api.db, delivery);
    const key = { deliveryId, round: 1, kind: 'scheduled', number: 1 } as const;
    const failure = { outcome: 'failed', reason: 'tls', detail: 'self_signed', durationMs: 9 } as const;
    await recordAttempt(api.db, key, { ...failure, startedAt: new Date(), generation: 1, evidence: noEvidence });
    const { stdout } = await parleyHere(env, 'deliveries', 'show', showId('delivery', deliveryId));
    expect(stdout).toMatch(/attempt 1 of 6 +failed: tls \(self_signed\)/);
    expect(stdout).toMatch(/^The receiver has a self-signed certificate: .+EGRESS_CA_FILE\.$/m);
    const read = await api.request('GET', `/v1/deliveries/${showId('delivery', deliveryId)}`, { key: account.apiKey });
    expect(read.body).toMatchObject({ attempts: [{ reason: 'tls', detail: 'self_signed' }] });
  });

  test('show --json has all that the API answers, and the account and the workflow', async () => {
    const delivery = { accountId: account.accountId, webhookId: newUuid(), status: 'pending', body: '{}' } as const;
    const deliveryId = await aDelivery(api.db, delivery);
    const key = { deliveryId, round: 1, kind: 'scheduled', number: 1 } as const;
    const failure = { outcome: 'failed', reason: 'reset', durationMs: 9, generation: 1 } as const;
    const evidence = { ...noEvidence, requestHeaders: { 'content-type': 'application/json' } };
    await recordAttempt(api.db, key, { ...failure, startedAt: new Date(), evidence });
    const id = showId('delivery', deliveryId);
    const read = await api.request('GET', `/v1/deliveries/${id}`, { key: account.apiKey });
    const shown = (await parleyHere(env, 'deliveries', 'show', id, '--json')).json();
    expect(shown).toEqual({
      ...Object(read.body),
      account_id: showId('account', account.accountId),
      workflow_id: `delivery/${id}`,
      // The command's settings name no UI of Temporal.
      workflow_url: null,
    });
  });

  test('show has the latest fifty attempts, and says how many more there are', async () => {
    const delivery = { accountId: account.accountId, webhookId: newUuid(), status: 'pending' } as const;
    const deliveryId = await aDelivery(api.db, delivery);
    const failure = { outcome: 'failed', reason: 'reset', durationMs: 9, generation: 1, evidence: noEvidence } as const;
    for (let round = 1; round <= 52; round += 1) {
      const startedAt = new Date(Date.UTC(2026, 0, 2, 3, round));
      await recordAttempt(api.db, { deliveryId, round, kind: 'manual', number: 1 }, { ...failure, startedAt });
    }
    const id = showId('delivery', deliveryId);
    const shown = (await parleyHere(env, 'deliveries', 'show', id, '--json')).json();
    expect(shown).toMatchObject({ attempts: { length: 50, 0: { round: 3 }, 49: { round: 52 } }, attempts_count: 52 });
    const { stdout } = await parleyHere(env, 'deliveries', 'show', id);
    expect(stdout).toContain(`\n2 earlier attempts are not shown: GET /v1/deliveries/${id}/attempts lists all.\n`);
    expect(stdout.match(/manual attempt 1 +failed: reset/g)).toHaveLength(50);
  });

  test('show tells every attempt, the next one, the workflow, and what the receiver answered', async () => {
    const deliveryId = await aDelivery(api.db, {
      accountId: account.accountId,
      webhookId: newUuid(),
      status: 'pending',
      body: '{"text":"\u009b31m"}',
    });
    const evidence = { ...noEvidence, address: '192.0.2.7', responseBody: Buffer.from('out of\u001b[31m order') };
    const key = { deliveryId, round: 1, kind: 'scheduled', number: 1 } as const;
    const startedAt = new Date('2026-01-02T03:04:05.678Z');
    const attempt = {
      outcome: 'failed',
      reason: 'status',
      statusCode: 503,
      durationMs: 41,
      startedAt,
      generation: 1,
      evidence,
    } as const;
    await recordAttempt(api.db, key, attempt);
    const id = showId('delivery', deliveryId);

    const { stdout } = await parleyHere(env, 'deliveries', 'show', id);
    expect(stdout).toMatch(/^Status +retrying$/m);
    expect(stdout).toMatch(new RegExp(`^Workflow +delivery/${id}$`, 'm'));
    expect(stdout).toMatch(/^2026-01-02T03:04:05\.678Z +1 +attempt 1 of 6 +failed: HTTP 503 +41 ms +192\.0\.2\.7$/m);
    expect(stdout).toMatch(/attempt 2 of 6 +scheduled/);
    expect(stdout).toContain('{"text":"\\u009b31m"}');
    const shown = await parleyHere(env, 'deliveries', 'show', id, '--json');
    expect(shown.json()).toMatchObject({
      id,
      workflow_id: `delivery/${id}`,
      attempts: [{ number: 1, status_code: 503, response_body: 'out of\u001b[31m order', response_truncated: false }],
    });
    expect(stdout).toContain('\nAnswer to attempt 1 of 6: HTTP 503\nout of\\u001b[31m order\n');
  });
});

describe('what is asked of a delivery', () => {
  test('while Temporal is away, retry says so in plain words, and cancel holds all the same', async () => {
    const fields = { accountId: account.accountId, webhookId: newUuid(), status: 'retrying' } as const;
    const id = showId('delivery', await aDelivery(api.db, fields));
    expect(await parleyHere(env, 'deliveries', 'retry', id)).toMatchObject({
      code: 1,
      stderr: 'Temporal does not respond. The delivery is unchanged. Try again.\n',
    });
    const cancelled = { code: 0, stdout: `${id} is cancelled.\n` };
    expect(await parleyHere(env, 'deliveries', 'cancel', id)).toMatchObject(cancelled);
    expect(await parleyHere(env, 'deliveries', 'cancel', id)).toMatchObject(cancelled);
    expect(await parleyHere(env, 'deliveries', 'retry', id)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ended as cancelled/),
    });
    expect((await parleyHere(env, 'deliveries', 'cancel', showId('delivery', newUuid()))).code).toBe(1);
  });
});

describe('a wrong command line', () => {
  test.each([
    { args: [], says: /parley -- --help/ },
    { args: ['acounts', 'list'], says: /unknown command 'acounts'/ },
    { args: ['accounts', 'create', '--name', 'X'], says: /--email/ },
    { args: ['accounts', 'create', '--name', 'X', '--email', 'x'], says: /Invalid email/ },
    {
      args: ['accounts', 'create', '--name', 'X', '--email', 'x@example.com', '--time-zone', 'Mars'],
      says: /IANA time zone/,
    },
    { args: ['accounts', 'create', '--name', 'a\u001b[31m', '--email', 'x@example.com'], says: /control characters/ },
    { args: ['accounts', 'set-plan', 'acc_1', 'pro'], says: /Not a valid account id/ },
    { args: ['deliveries', 'list', '--status', 'failed,lost'], says: /must be of pending, retrying/ },
    { args: ['deliveries', 'list', '--limit', '0'], says: /1 to 1000/ },
    { args: ['deliveries', 'list', '--limit', '0x10'], says: /1 to 1000/ },
    { args: ['keys', 'list'], says: /Choose one with --account/ },
  ])('$args is exit code 2, with the reason in one line', async ({ args, says }) => {
    const said = await parleyHere(env, ...args);
    expect(said).toMatchObject({ code: 2, stdout: '' });
    expect(said.stderr).toMatch(says);
    expect(said.stderr.trim().split('\n')).toHaveLength(1);
    const asJson = await parleyHere(env, ...args, '--json');
    expect(asJson).toMatchObject({ code: 2, stderr: '' });
    expect(asJson.json()).toEqual({ error: { code: 'usage', message: expect.stringMatching(says) } });
  });

  test.each([
    ['keys', 'revoke', showId('apiKey', newUuid())],
    ['deliveries', 'show', showId('delivery', newUuid())],
    ['keys', 'list', '--account', showId('account', newUuid())],
    ['accounts', 'set-plan', showId('account', newUuid()), 'pro'],
  ])('%s %s of an unknown id is exit code 1 and not_found', async (...args) => {
    const failed = await parleyHere(env, ...args, '--json');
    expect(failed.code).toBe(1);
    expect(failed.json()).toMatchObject({ error: { code: 'not_found' } });
  });

  test('a database that is away is exit code 1, named in one line', async () => {
    const away = { ...env, DATABASE_URL: 'postgres://parley@127.0.0.1:9/parley' };
    expect(await parley(away, 'accounts', 'list')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The database cannot be used: connect ECONNREFUSED 127.0.0.1:9\n',
    });
  });

  test('wrong settings are all named', async () => {
    const failed = await parleyHere({ ...env, PORT: 'x', BASE_URL: 'y' }, 'accounts', 'list');
    expect(failed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Invalid settings: .*PORT.*BASE_URL.*\n$/),
    });
  });
});
