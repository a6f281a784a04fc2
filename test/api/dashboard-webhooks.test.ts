import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rotateWebhookSecret } from '../../src/shared/webhooks/account-secret.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { type Outgoing, type TestAccount, useApi } from '../helpers/api.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import {
  startReceiver,
  verifySignature,
  type ReceivedRequest,
  type Receiver,
  type Script,
} from '../helpers/receiver.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { disableWebhook } from '../helpers/states/webhooks.ts';

const api = await useApi();
let receiver: Receiver;
let account: TestAccount;
beforeEach(async () => {
  receiver = await startReceiver();
  account = await api.createAccount();
});
afterEach(() => receiver.close());

type Check = {
  ok: boolean;
  reason: string | null;
  status: number | null;
  latency_ms: number;
  excerpt: string | null;
  url: string;
};
type Webhook = {
  id: string;
  url: string;
  status: string;
  disabled_reason: string | null;
  pending_url: string | null;
  verified_at: string | null;
  last_check: Check;
};

/** As the owner does it in the dashboard. */
const dashboard = <Body = Webhook>(method: string, path: string, outgoing: Outgoing = {}) =>
  api.request<Body>(method, `/dashboard/api${path}`, { session: account.session, ...outgoing });

const challengeOf = ({ rawBody }: ReceivedRequest): string => JSON.parse(rawBody.toString()).challenge;
const returningIt: Script = ({ rawBody }) => ({ type: 'respond', body: rawBody });

const save = async (script: Script = returningIt, path = '/hook') => {
  receiver.respondWith(script);
  const answer = await dashboard('POST', '/webhooks', { body: { url: receiver.url(path), events: ['new_message'] } });
  expect(answer.status).toBe(201);
  return answer.body;
};

const webhookSecret = async (): Promise<string> =>
  (await dashboard<{ secret: string }>('GET', '/webhook-secret')).body.secret;

const storedWebhook = async ({ id }: Webhook) => {
  const [row] = await api.db`select * from webhooks where id = ${readId('webhook', id)}`;
  return row;
};

const anApiWebhook = async ({ url = receiver.url('/hook'), disabled = true } = {}): Promise<Webhook> => {
  const body = { url, events: ['*'], secret: 'the secret of A' };
  const created = await api.request<Webhook>('POST', '/v1/webhooks', { key: account.apiKey, body });
  if (disabled) {
    await disableWebhook(api.db, readId('webhook', created.body.id));
  }
  return created.body;
};

describe('saving a dashboard webhook', () => {
  test('POSTs one challenge, signed with the account’s secret', async () => {
    await save();
    const [request, ...more] = receiver.requests;
    expect(more).toEqual([]);
    expect(request).toMatchObject({ method: 'POST', path: '/hook', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(request?.rawBody.toString() ?? '')).toEqual({ challenge: expect.stringMatching(/^[\w-]{32}$/) });
    const signature = request?.headers['x-service-signature'];
    expect(verifySignature(request?.rawBody ?? Buffer.of(), await webhookSecret(), signature)).toBe(true);
  });

  test.each<[string, Script]>([
    ['as JSON with the field challenge', returningIt],
    ['as a JSON string', (request) => ({ type: 'respond', body: JSON.stringify(challengeOf(request)) })],
    ['as bare text', (request) => ({ type: 'respond', body: `${challengeOf(request)}\n` })],
  ])('makes it active when the value comes back %s', async (_form, script) => {
    const webhook = await save(script);
    expect(webhook).toMatchObject({
      status: 'active',
      variant: 'dashboard',
      disabled_reason: null,
      pending_url: null,
      verified_at: expect.any(String),
      last_check: {
        ok: true,
        status: 200,
        reason: null,
        message: null,
        address: '127.0.0.1',
        url: receiver.url('/hook'),
      },
    });
    expect(webhook).not.toHaveProperty('secret');
  });

  test.each<[string, Script, object]>([
    [
      '201 with the value',
      ({ rawBody }) => ({ type: 'respond', status: 201, body: rawBody }),
      { reason: 'status', status: 201 },
    ],
    ['200 without it', { type: 'respond', body: 'welcome' }, { reason: 'challenge', status: 200, excerpt: 'welcome' }],
    ['200 with nothing', 200, { reason: 'challenge', status: 200, excerpt: '' }],
    ['200 with another value', { type: 'respond', body: '{"challenge":"x"}' }, { reason: 'challenge', status: 200 }],
    [
      'a redirect to where it would pass',
      (request, index) =>
        index === 0
          ? { type: 'respond', status: 307, headers: { location: '/elsewhere' } }
          : { type: 'respond', body: request.rawBody },
      { reason: 'status', status: 307 },
    ],
    [
      '500 with NUL in its body',
      { type: 'respond', status: 500, body: 'a\0b' },
      { reason: 'status', status: 500, excerpt: 'a\uFFFDb' },
    ],
    ['a reset', { type: 'reset' }, { reason: 'reset', status: null, excerpt: null }],
    ['a body without end', { type: 'endless' }, { reason: 'challenge', status: 200 }],
  ])('leaves it disabled, unverified, and shows what came back: %s', async (_answer, script, check) => {
    const webhook = await save(script);
    expect(webhook).toMatchObject({
      status: 'disabled',
      disabled_reason: 'unverified',
      verified_at: null,
      last_check: { ok: false, latency_ms: expect.any(Number), ...check },
    });
    expect(receiver.requests).toHaveLength(1);
    expect(webhook.last_check.excerpt?.length ?? 0).toBeLessThanOrEqual(1024);
    expect((await dashboard('GET', `/webhooks/${webhook.id}`)).body).toMatchObject(webhook);
  });

  test('gives the endpoint 10 seconds and no more', async () => {
    const webhook = await save({ type: 'hang' });
    expect(webhook).toMatchObject({ status: 'disabled', last_check: { ok: false, reason: 'timeout', status: null } });
    expect(webhook.last_check.latency_ms).toBeGreaterThanOrEqual(9_990);
    expect(webhook.last_check.latency_ms).toBeLessThan(11_000);
  });

  test.each([
    ['plain http', { url: 'http://127.0.0.1/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['conversation_closed', { events: ['conversation_closed'] }],
    ['a secret of its own', { secret: 'mine' }],
  ])('refuses %s with 422, asks nobody and writes nothing', async (_what, fields) => {
    const body = { url: receiver.url(), events: ['new_message'], ...fields };
    expect((await dashboard('POST', '/webhooks', { body })).status).toBe(422);
    expect(receiver.requests).toEqual([]);
    expect(await api.db`select 1 from webhooks where account_id = ${account.accountId}`).toHaveLength(0);
  });

  test('with an Idempotency-Key it is saved and challenged once, and the outcome is answered again', async () => {
    receiver.respondWith(returningIt);
    const outgoing = { body: { url: receiver.url(), events: ['*'] }, headers: { 'Idempotency-Key': 'once' } };
    const [first, second] = [
      await dashboard('POST', '/webhooks', outgoing),
      await dashboard('POST', '/webhooks', outgoing),
    ];
    expect(second).toMatchObject({ status: 201, body: first.body, headers: { 'idempotent-replayed': 'true' } });
    expect(first.body.status).toBe('active');
    expect(receiver.requests).toHaveLength(1);
  });

  test('needs the plan pro or higher, and asks nobody before', async () => {
    account = await api.createAccount({ plan: 'free' });
    const answer = await dashboard('POST', '/webhooks', { body: { url: receiver.url(), events: ['*'] } });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'plan_required' } } });
    expect(receiver.requests).toEqual([]);
  });
});

describe('verifying again', () => {
  test('sends another challenge and makes the webhook active when it passes now', async () => {
    const webhook = await save(500);
    receiver.respondWith(returningIt);
    const answer = await dashboard('POST', `/webhooks/${webhook.id}/verify`);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'active', disabled_reason: null, last_check: { ok: true } },
    });
    const [first, second] = receiver.requests;
    expect(first && second && challengeOf(first) !== challengeOf(second)).toBe(true);
  });

  test('leaves it unverified when it fails again, and says so with 200', async () => {
    const webhook = await save(500);
    receiver.respondWith(404);
    const answer = await dashboard('POST', `/webhooks/${webhook.id}/verify`);
    expect(answer).toMatchObject({ status: 200, body: { status: 'disabled', last_check: { ok: false, status: 404 } } });
  });

  test('takes nothing from an active webhook whose endpoint fails now, nor begins a generation when it passes', async () => {
    const webhook = await save();
    const generation = (await storedWebhook(webhook))?.['generation'];
    receiver.respondWith(500);
    const failed = await dashboard('POST', `/webhooks/${webhook.id}/verify`);
    expect(failed.body).toMatchObject({ status: 'active', last_check: { ok: false, status: 500 } });
    receiver.respondWith(returningIt);
    await dashboard('POST', `/webhooks/${webhook.id}/verify`);
    expect((await storedWebhook(webhook))?.['generation']).toBe(generation);
  });

  test('is not for webhooks registered by the API: 409', async () => {
    const { id } = await anApiWebhook();
    expect((await dashboard('POST', `/webhooks/${id}/verify`)).status).toBe(409);
    expect(receiver.requests).toEqual([]);
  });
});

describe('changing the url of a dashboard webhook', () => {
  const patch = ({ id }: Webhook, body: object) => dashboard('PATCH', `/webhooks/${id}`, { body });

  test('takes force under a new generation when the new url has passed its challenge', async () => {
    const webhook = await save();
    const generation = (await storedWebhook(webhook))?.['generation'];
    const answer = await patch(webhook, { url: receiver.url('/new') });
    expect(answer).toMatchObject({
      status: 200,
      body: { url: receiver.url('/new'), pending_url: null, status: 'active' },
    });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook', '/new']);
    expect((await storedWebhook(webhook))?.['generation']).toBe(generation + 1);
  });

  test('waits in pending_url while the challenge fails: the old url stays in force, until verify passes', async () => {
    const webhook = await save();
    receiver.respondWith(500);
    const answer = await patch(webhook, { url: receiver.url('/new') });
    const waiting = { url: receiver.url('/hook'), pending_url: receiver.url('/new'), status: 'active' };
    expect(answer).toMatchObject({
      status: 200,
      body: { ...waiting, last_check: { ok: false, url: receiver.url('/new') } },
    });
    receiver.respondWith(returningIt);
    const verified = await dashboard('POST', `/webhooks/${webhook.id}/verify`);
    expect(verified.body).toMatchObject({ url: receiver.url('/new'), pending_url: null, status: 'active' });
  });

  test('back to the url in force gives up the one that waits, and asks nobody', async () => {
    const webhook = await save();
    receiver.respondWith(500);
    await patch(webhook, { url: receiver.url('/new') });
    const answer = await patch(webhook, { url: receiver.url('/hook') });
    expect(answer.body).toMatchObject({ url: receiver.url('/hook'), pending_url: null, status: 'active' });
    expect(receiver.requests).toHaveLength(2);
  });

  test('replaces the url of one that was never verified', async () => {
    const webhook = await save(500);
    receiver.respondWith(returningIt);
    const answer = await patch(webhook, { url: receiver.url('/new') });
    expect(answer.body).toMatchObject({ url: receiver.url('/new'), pending_url: null, status: 'active' });
  });

  test('to a private address is refused with 422 and leaves everything as it is', async () => {
    const webhook = await save();
    expect((await patch(webhook, { url: 'https://10.0.0.1/' })).status).toBe(422);
    expect((await dashboard('GET', `/webhooks/${webhook.id}`)).body).toMatchObject(webhook);
  });

  test('what passed does not take force when the url was changed again meanwhile', async () => {
    const webhook = await save();
    const late = Promise.withResolvers<void>();
    receiver.respondWith(async ({ rawBody, path }) => {
      if (path !== '/slow') return 500;
      await late.promise;
      return { type: 'respond', body: rawBody };
    });
    const slow = patch(webhook, { url: receiver.url('/slow') });
    await receiver.waitFor((requests) => requests.some(({ path }) => path === '/slow'));
    await patch(webhook, { url: receiver.url('/later') });
    late.resolve();
    expect((await slow).body).toMatchObject({ url: receiver.url('/hook'), pending_url: receiver.url('/later') });
  });

  test('events alone change at once and ask nobody; conversation_closed is refused', async () => {
    const webhook = await save();
    expect((await patch(webhook, { events: ['new_contact'] })).body).toMatchObject({ events: ['new_contact'] });
    expect((await patch(webhook, { events: ['conversation_closed'] })).status).toBe(422);
    expect(receiver.requests).toHaveLength(1);
  });

  test('of a webhook registered by the API is in force at once', async () => {
    const webhook = await anApiWebhook({ disabled: false });
    const answer = await patch(webhook, { url: receiver.url('/new'), events: ['conversation_closed'] });
    expect(answer).toMatchObject({
      status: 200,
      body: { variant: 'api', url: receiver.url('/new'), pending_url: null },
    });
    expect(receiver.requests).toEqual([]);
  });
});

describe('re-enabling', () => {
  const reEnable = ({ id }: Webhook) => dashboard('POST', `/webhooks/${id}/re-enable`);

  test('sends the oldest parked delivery of variant A, signed, and enables on 200 under a new generation', async () => {
    const webhook = await anApiWebhook();
    const parked = {
      accountId: account.accountId,
      webhookId: readId('webhook', webhook.id),
      status: 'parked',
    } as const;
    const oldest = await aDelivery(api.db, { ...parked, body: '{"id":"oldest"}' });
    await aDelivery(api.db, { ...parked, body: '{"id":"newer"}' });
    const answer = await reEnable(webhook);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'active', disabled_reason: null, disabled_at: null, last_check: { ok: true } },
    });
    const [request, ...more] = receiver.requests;
    expect(more).toEqual([]);
    expect(request?.rawBody.toString()).toBe('{"id":"oldest"}');
    expect(request?.headers['webhook-id']).toBe(showId('delivery', oldest));
    expect(
      verifySignature(Buffer.from('{"id":"oldest"}'), 'the secret of A', request?.headers['x-service-signature']),
    ).toBe(true);
    expect((await storedWebhook(webhook))?.['generation']).toBe(2);
  });

  test('the health check is none of the ladder: the delivery stays parked for its owner to replay', async () => {
    const webhook = await anApiWebhook();
    const id = await aDelivery(api.db, {
      accountId: account.accountId,
      webhookId: readId('webhook', webhook.id),
      status: 'parked',
    });
    await reEnable(webhook);
    const [row] = await api.db`
      select status, attempts_made, array(select kind from attempts where delivery_id = ${id}) as kinds from deliveries where id = ${id}`;
    expect(row).toMatchObject({ status: 'parked', attemptsMade: 0, kinds: ['check'] });
  });

  test('sends a challenge to variant A when nothing is parked, and 200 is enough', async () => {
    const webhook = await anApiWebhook();
    expect((await reEnable(webhook)).body).toMatchObject({ status: 'active' });
    expect(receiver.requests.map(challengeOf)).toEqual([expect.any(String)]);
  });

  test('leaves variant A disabled when the endpoint answers anything but 200, and shows status, latency and excerpt', async () => {
    const webhook = await anApiWebhook();
    receiver.respondWith({ type: 'respond', status: 204, body: '' });
    expect((await reEnable(webhook)).body).toMatchObject({
      status: 'disabled',
      last_check: { ok: false, status: 204 },
    });
    receiver.respondWith({ type: 'respond', status: 503, body: 'down for maintenance' });
    const answer = await reEnable(webhook);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        status: 'disabled',
        disabled_reason: 'failures',
        last_check: { ok: false, status: 503, excerpt: 'down for maintenance', latency_ms: expect.any(Number) },
      },
    });
    expect((await storedWebhook(webhook))?.['generation']).toBe(1);
  });

  test('variant B must return the challenge', async () => {
    const webhook = await save(500);
    receiver.respondWith(200);
    expect((await reEnable(webhook)).body).toMatchObject({
      status: 'disabled',
      last_check: { ok: false, reason: 'challenge' },
    });
    receiver.respondWith(returningIt);
    expect((await reEnable(webhook)).body).toMatchObject({ status: 'active' });
  });

  test('is for disabled webhooks: 409 for an active one, and nobody is asked', async () => {
    const webhook = await anApiWebhook({ disabled: false });
    expect((await reEnable(webhook)).status).toBe(409);
    expect(receiver.requests).toEqual([]);
  });

  test('does not enable a webhook whose url was changed while its endpoint was asked', async () => {
    const webhook = await anApiWebhook();
    receiver.respondWith(async () => {
      await dashboard('PATCH', `/webhooks/${webhook.id}`, { body: { url: receiver.url('/new') } });
      return 200;
    });
    expect((await reEnable(webhook)).body).toMatchObject({ status: 'disabled', url: receiver.url('/new') });
  });

  test('does not enable a webhook whose secret was changed while its endpoint was asked', async () => {
    const webhook = await anApiWebhook();
    receiver.respondWith(async () => {
      const body = { secret: 'another secret' };
      await api.request('PATCH', `/v1/webhooks/${webhook.id}`, { key: account.apiKey, body });
      return 200;
    });
    expect((await reEnable(webhook)).body).toMatchObject({ status: 'disabled' });
  });

  test('waits for a process of 0.2 that parks a delivery under a share lock of the row', async () => {
    const webhook = await anApiWebhook();
    const asked = Promise.withResolvers<void>();
    receiver.respondWith(() => {
      asked.resolve();
      return 200;
    });
    const enabling = await api.db.begin(async (sql) => {
      await sql`select 1 from webhooks where id = ${readId('webhook', webhook.id)} for share`;
      const answer = reEnable(webhook);
      await asked.promise;
      await untilSomebodyWaits(api.db);
      expect(await storedWebhook(webhook)).toMatchObject({ status: 'disabled' });
      return { answer };
    });
    expect((await enabling.answer).body).toMatchObject({ status: 'active' });
  });
});

test('a challenge after a rotation is signed with the new secret', async () => {
  const { accountId } = account;
  const webhook = await save();
  const secret = await api.deps.transact((tx) => rotateWebhookSecret(tx, { secrets: api.deps.secrets, accountId }));
  await dashboard('POST', `/webhooks/${webhook.id}/verify`);
  const last = receiver.requests.at(-1);
  expect(verifySignature(last?.rawBody ?? Buffer.of(), secret, last?.headers['x-service-signature'])).toBe(true);
});

test('the dashboard lists its webhooks with what waits for them', async () => {
  const [b, a] = [await save(), await anApiWebhook()];
  const { accountId } = account;
  for (const status of ['parked', 'parked', 'delivered'] as const)
    await aDelivery(api.db, { accountId, webhookId: readId('webhook', a.id), status });
  const { body } = await dashboard<{ data: { id: string; backlog: object }[] }>('GET', '/webhooks');
  expect(body.data.map(({ id, backlog }) => [id, backlog])).toEqual([
    [a.id, { pending: 0, retrying: 0, parked: 2 }],
    [b.id, { pending: 0, retrying: 0, parked: 0 }],
  ]);
});

test('the dashboard lists the webhooks of both variants and deletes either', async () => {
  const [b, a] = [await save(), await anApiWebhook()];
  const list = async () => (await dashboard<{ data: Webhook[] }>('GET', '/webhooks')).body.data.map(({ id }) => id);
  expect(await list()).toEqual([a.id, b.id]);
  expect((await dashboard('DELETE', `/webhooks/${a.id}`)).status).toBe(204);
  expect((await dashboard('DELETE', `/webhooks/${b.id}`)).status).toBe(204);
  expect(await list()).toEqual([]);
});

const operations = [
  ['GET', ''],
  ['PATCH', '', { events: ['*'] }],
  ['DELETE', ''],
  ['POST', '/verify'],
  ['POST', '/re-enable'],
] as const;

test.each(operations)(
  "another account's webhook answers 404 to %s %s, and nobody is asked",
  async (method, path, body?: object) => {
    const webhook = await save();
    const { session } = await api.createAccount();
    const answer = await dashboard(method, `/webhooks/${webhook.id}${path}`, { session, ...(body && { body }) });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    expect(receiver.requests).toHaveLength(1);
    expect((await dashboard('GET', `/webhooks/${webhook.id}`)).body).toMatchObject(webhook);
  },
);

test('an agent is told nothing of where the host of a refused webhook leads', async () => {
  const account = await api.createAccount();
  await setRole(api.db, account.userId, 'agent');
  const body = { url: 'https://no-such-host.invalid/hook', events: [] };
  const { session } = account;
  for (const [method, path] of [
    ['POST', ''],
    ['PATCH', `/${showId('webhook', newUuid())}`],
  ] as const) {
    const answer = await api.request(method, `/dashboard/api/webhooks${path}`, { session, body });
    expect(answer.status).toBe(403);
  }
});

test('an agent reads webhooks and changes none: 403 forbidden', async () => {
  const webhook = await save();
  await setRole(api.db, account.userId, 'agent');
  expect((await dashboard('GET', `/webhooks/${webhook.id}`)).status).toBe(200);
  for (const [method, path, body] of operations.slice(1)) {
    const answer = await dashboard(method, `/webhooks/${webhook.id}${path}`, body && { body });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  }
  expect(receiver.requests).toHaveLength(1);
});

test('an agent gets nothing of the body that an endpoint answered, in no list either', async () => {
  const { id } = await save(() => ({ type: 'respond', body: 'private' }));
  const read = async () => {
    const one = (await dashboard('GET', `/webhooks/${id}`)).body;
    const listed = (await dashboard<{ data: Webhook[] }>('GET', '/webhooks')).body.data;
    return [one, ...listed].map(({ last_check: { status, reason, excerpt } }) => ({ status, reason, excerpt }));
  };
  const outcome = { status: 200, reason: 'challenge' };
  expect(await read()).toEqual(Array.from({ length: 2 }, () => ({ ...outcome, excerpt: 'private' })));
  await setRole(api.db, account.userId, 'agent');
  expect(await read()).toEqual(Array.from({ length: 2 }, () => ({ ...outcome, excerpt: null })));
});

test('an id that names nothing answers 404', async () => {
  expect((await dashboard('POST', `/webhooks/${showId('webhook', newUuid())}/re-enable`)).status).toBe(404);
});
