import { describe, expect, test } from 'vitest';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { lockPlan } from '../../src/shared/accounts/plan-lock.ts';
import { lockWebhook } from '../../src/shared/webhooks/locks.ts';
import { applyRetention } from '../../src/shared/retention/apply.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { holdLock } from '../helpers/locks.ts';
import { haveDeletedWebhooks } from '../helpers/states/webhooks.ts';

const api = await useApi();

type Webhook = { id: string; url: string; events: string[]; status: string; created_at: string };
type Refusal = { error: { code: string; details?: { path: string; message: string }[] } };

const secret = 'a secret of my own choosing';
const aWebhook = (fields: object = {}) => ({
  url: 'https://127.0.0.1:8443/hook',
  events: ['new_message'],
  secret,
  ...fields,
});

const create = async ({ apiKey }: TestAccount, fields: object = {}) => {
  const answer = await api.request<Webhook>('POST', '/v1/webhooks', { key: apiKey, body: aWebhook(fields) });
  expect(answer.status).toBe(201);
  return answer.body;
};

const countWebhooks = async ({ accountId }: TestAccount): Promise<number> => {
  const rows = await api.db`select 1 from webhooks where account_id = ${accountId}`;
  return rows.length;
};

const generationOf = async (id: string): Promise<number> => {
  const [row] = await api.db`select generation from webhooks where id = ${readId('webhook', id)}`;
  return row?.['generation'];
};

describe('POST /v1/webhooks', () => {
  test('answers 201 with exactly id, url, events, status and created_at, and the webhook is active', async () => {
    const account = await api.createAccount();
    const answer = await api.request<Webhook>('POST', '/v1/webhooks', { key: account.apiKey, body: aWebhook() });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^wh_/),
      url: 'https://127.0.0.1:8443/hook',
      events: ['new_message'],
      status: 'active',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('takes * and all eight events', async () => {
    const account = await api.createAccount();
    expect((await create(account, { events: ['*'] })).events).toEqual(['*']);
    expect((await create(account, { events: ['conversation_closed', 'new_contact'] })).events).toEqual([
      'conversation_closed',
      'new_contact',
    ]);
  });

  test('an account that has deleted a thousand registers no more, until retention has removed some', async () => {
    const account = await api.createAccount();
    const { accountId, apiKey: key } = account;
    await haveDeletedWebhooks(api.db, accountId, { count: 999, daysAgo: 1_000 });
    await create(account);
    const refused = await api.request<Refusal>('POST', '/v1/webhooks', { key, body: aWebhook() });
    expect(refused).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    expect(await countWebhooks(account)).toBe(1_000);
    await applyRetention(api.db, { retentionDays: 90 });
    await create(account);
  });

  test('keeps the secret sealed: not in the database in clear, in no answer, in no log line', async () => {
    const account = await api.createAccount();
    const { id } = await create(account, { secret: 'never-to-be-seen-again' });
    const [row] = await api.db`select secret, w::text as text from webhooks w where id = ${readId('webhook', id)}`;
    expect(`${row?.['secret'].toString('latin1')} ${row?.['text']}`).not.toContain('never-to-be-seen-again');
    const place = { accountId: account.accountId, rowId: readId('webhook', id) };
    expect(api.deps.secrets.open(row?.['secret'], place)).toBe('never-to-be-seen-again');
    for (const path of ['/v1/webhooks', `/v1/webhooks/${id}`]) {
      expect((await api.request('GET', path, { key: account.apiKey })).text).not.toMatch(/secret|never-to-be/);
    }
    expect(api.logged.join()).not.toContain('never-to-be-seen-again');
  });

  test.each([
    ['plain http', { url: 'http://example.com/' }, 'url'],
    ['credentials in the url', { url: 'https://user:password@127.0.0.1/' }, 'url'],
    ['a private address', { url: 'https://10.0.0.1/' }, 'url'],
    ['the metadata address in decimal', { url: 'https://2852039166/' }, 'url'],
    ['a host that resolves to nothing', { url: 'https://nowhere.invalid/' }, 'url'],
    ['no events', { events: [] }, 'events'],
    ['an unknown event', { events: ['message_sent'] }, 'events.0'],
    ['an event named twice', { events: ['new_message', 'new_message'] }, 'events'],
    ['* beside another event', { events: ['*', 'new_message'] }, 'events'],
    ['no secret', { secret: undefined }, 'secret'],
    ['an empty secret', { secret: '' }, 'secret'],
    ['NUL in the secret', { secret: 'a\0b' }, 'secret'],
    ['half a surrogate pair in the secret', { secret: 'a\uD800b' }, 'secret'],
    ['a field that is not ours', { status: 'active' }, 'status'],
  ])('refuses %s with 422, names where, and writes nothing', async (_what, fields, path) => {
    const account = await api.createAccount();
    const answer = await api.request<Refusal>('POST', '/v1/webhooks', { key: account.apiKey, body: aWebhook(fields) });
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'invalid_request' } } });
    expect(answer.body.error.details?.map((problem) => problem.path)).toEqual([path]);
    expect(await countWebhooks(account)).toBe(0);
  });

  test.each([
    ['a private address', 'https://10.0.0.1/'],
    ['a name that leads nowhere', 'https://nowhere.invalid/'],
    ['plain http', 'http://example.com/'],
  ])('names every problem at once, also of a url with %s, once each', async (_what, url) => {
    const { apiKey, session } = await api.createAccount();
    const { id } = (await api.request<{ id: string }>('POST', '/v1/webhooks', { key: apiKey, body: aWebhook({}) }))
      .body;
    const body = { url, events: ['message_sent'], secret: '', status: 'active' };
    for (const [method, path] of [
      ['POST', '/v1/webhooks'],
      ['PATCH', `/v1/webhooks/${id}`],
    ] as const) {
      const answer = await api.request<Refusal>(method, path, { key: apiKey, body });
      const paths = answer.body.error.details?.map((problem) => problem.path).toSorted();
      expect(paths).toEqual(['events.0', 'secret', 'status', 'url']);
    }
    for (const [method, path] of [
      ['POST', '/dashboard/api/webhooks'],
      ['PATCH', `/dashboard/api/webhooks/${id}`],
    ] as const) {
      const answer = await api.request<Refusal>(method, path, { session, body });
      const paths = answer.body.error.details?.map((problem) => problem.path).toSorted();
      expect(paths).toEqual(['events.0', 'secret', 'status', 'url']);
    }
  });

  test('names every problem of a change that only its webhook shows, url and events at once', async () => {
    const { session } = await api.createAccount();
    const { id } = (
      await api.request<{ id: string }>('POST', '/dashboard/api/webhooks', {
        session,
        body: { url: 'https://127.0.0.1:1/', events: ['*'] },
      })
    ).body;
    const answer = await api.request<Refusal>('PATCH', `/dashboard/api/webhooks/${id}`, {
      session,
      body: { url: 'https://10.0.0.1/', events: ['conversation_closed'] },
    });
    expect(answer.body.error.details?.map((problem) => problem.path)).toEqual(['events', 'url']);
  });

  test('a url that is wrong as it is written is told before plan, webhook and host are looked at', async () => {
    const { apiKey } = await api.createAccount({ plan: 'free' });
    const url = 'https:nowhere.invalid/';
    for (const [method, path] of [
      ['POST', '/v1/webhooks'],
      ['PATCH', `/v1/webhooks/${showId('webhook', newUuid())}`],
    ] as const) {
      const answer = await api.request<Refusal>(method, path, { key: apiKey, body: aWebhook({ url }) });
      const details = [{ path: 'url', message: 'must have its host after https://' }];
      expect(answer).toMatchObject({ status: 422, body: { error: { details } } });
    }
  });

  test('says of an unreachable url that it must be publicly reachable', async () => {
    const { apiKey } = await api.createAccount();
    const answer = await api.request<Refusal>('POST', '/v1/webhooks', {
      key: apiKey,
      body: aWebhook({ url: 'https://192.168.1.1/' }),
    });
    expect(answer.body.error.details?.[0]?.message).toContain('must be publicly reachable');
  });

  test('needs the plan pro or higher: 403 plan_required, and nothing is written', async () => {
    const account = await api.createAccount({ plan: 'free' });
    const answer = await api.request<Refusal>('POST', '/v1/webhooks', { key: account.apiKey, body: aWebhook() });
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'plan_required' } } });
    expect(await countWebhooks(account)).toBe(0);
    await create(await api.createAccount({ plan: 'business' }));
  });

  test('with an Idempotency-Key, the second of two equal requests gets the answer of the first and makes nothing', async () => {
    const account = await api.createAccount();
    const headers = { 'Idempotency-Key': 'once' };
    const send = () => api.request<Webhook>('POST', '/v1/webhooks', { key: account.apiKey, headers, body: aWebhook() });
    const [first, second] = [await send(), await send()];
    expect(second).toMatchObject({ status: 201, body: first.body, headers: { 'idempotent-replayed': 'true' } });
    expect(await countWebhooks(account)).toBe(1);
  });

  test('takes a hundred webhooks of an account and no more, deleted ones not counted', async () => {
    const account = await api.createAccount();
    const { id } = await create(account);
    for (let more = 1; more <= 99; more += 1) {
      await insertWebhook(api.deps, { accountId: account.accountId, url: 'https://example.com/' });
    }
    const full = await api.request('POST', '/v1/webhooks', { key: account.apiKey, body: aWebhook() });
    expect(full.status).toBe(409);
    await api.request('DELETE', `/v1/webhooks/${id}`, { key: account.apiKey });
    await create(account);
  });
});

describe('reading', () => {
  test('lists newest first, page by page, with the same five fields', async () => {
    const account = await api.createAccount();
    const [first, second, third] = [await create(account), await create(account), await create(account)];
    const page = (query: string) =>
      api.request<{ data: Webhook[]; next_cursor: string | null }>('GET', `/v1/webhooks?${query}`, {
        key: account.apiKey,
      });
    const newest = await page('limit=2');
    expect(newest.body.data).toMatchObject([third, second]);
    const rest = await page(`limit=2&cursor=${newest.body.next_cursor}`);
    expect(rest.body).toMatchObject({ data: [first], next_cursor: null });
  });

  test('a webhook of the dashboard is not there for an API key', async () => {
    const account = await api.createAccount();
    const { accountId } = account;
    const id = await insertWebhook(api.deps, { accountId, variant: 'dashboard', url: 'https://example.com/' });
    const path = `/v1/webhooks/${showId('webhook', id)}`;
    expect((await api.request('GET', path, { key: account.apiKey })).status).toBe(404);
    expect((await api.request('PATCH', path, { key: account.apiKey, body: { events: ['*'] } })).status).toBe(404);
    expect((await api.request('DELETE', path, { key: account.apiKey })).status).toBe(404);
    expect((await api.request('GET', '/v1/webhooks', { key: account.apiKey })).body).toMatchObject({ data: [] });
  });
});

describe('PATCH /v1/webhooks/{id}', () => {
  const patch = ({ apiKey }: TestAccount, id: string, body: object) =>
    api.request<Webhook>('PATCH', `/v1/webhooks/${id}`, { key: apiKey, body });

  test('changes url, events and secret, each for itself', async () => {
    const account = await api.createAccount();
    const webhook = await create(account);
    const moved = await patch(account, webhook.id, { url: 'https://127.0.0.1:8443/other' });
    expect(moved).toMatchObject({ status: 200, body: { ...webhook, url: 'https://127.0.0.1:8443/other' } });
    const resubscribed = await patch(account, webhook.id, { events: ['*'] });
    expect(resubscribed.body).toEqual({ ...moved.body, events: ['*'] });
    expect((await patch(account, webhook.id, { secret: 'another' })).body).toEqual(resubscribed.body);
    const [row] = await api.db`select secret from webhooks where id = ${readId('webhook', webhook.id)}`;
    const place = { accountId: account.accountId, rowId: readId('webhook', webhook.id) };
    expect(api.deps.secrets.open(row?.['secret'], place)).toBe('another');
  });

  test('begins a new generation with another url or secret, and with nothing else', async () => {
    const account = await api.createAccount();
    const { id, url } = await create(account);
    await patch(account, id, { events: ['*'] });
    await patch(account, id, { url });
    expect(await generationOf(id)).toBe(1);
    await patch(account, id, { url: 'https://127.0.0.1:8443/other' });
    expect(await generationOf(id)).toBe(2);
    await patch(account, id, { secret: 'another' });
    expect(await generationOf(id)).toBe(3);
  });

  test.each([
    ['plain http', { url: 'http://example.com/' }],
    ['a private address', { url: 'https://10.0.0.1/' }],
    ['no events', { events: [] }],
    ['status', { status: 'active' }],
    ['null for a secret', { secret: null }],
  ])('refuses %s with 422 and changes nothing', async (_what, body) => {
    const account = await api.createAccount();
    const webhook = await create(account);
    expect((await patch(account, webhook.id, body)).status).toBe(422);
    expect((await api.request('GET', `/v1/webhooks/${webhook.id}`, { key: account.apiKey })).body).toMatchObject(
      webhook,
    );
  });
});

describe('DELETE /v1/webhooks/{id}', () => {
  test('answers 204, and the webhook is not there any more', async () => {
    const account = await api.createAccount();
    const { id } = await create(account);
    const remove = () => api.request('DELETE', `/v1/webhooks/${id}`, { key: account.apiKey });
    expect(await remove()).toMatchObject({ status: 204, text: '' });
    expect((await remove()).status).toBe(404);
    expect((await api.request('GET', `/v1/webhooks/${id}`, { key: account.apiKey })).status).toBe(404);
    expect((await api.request('GET', '/v1/webhooks', { key: account.apiKey })).body).toMatchObject({ data: [] });
  });

  test('cancels the unfinished deliveries of this webhook and leaves the finished and the others alone', async () => {
    const account = await api.createAccount();
    const [deleted, kept] = [await create(account), await create(account)];
    for (const status of ['pending', 'retrying', 'parked', 'delivered', 'failed'] as const) {
      await aDelivery(api.db, { accountId: account.accountId, webhookId: readId('webhook', deleted.id), status });
    }
    await aDelivery(api.db, { accountId: account.accountId, webhookId: readId('webhook', kept.id), status: 'parked' });
    await api.request('DELETE', `/v1/webhooks/${deleted.id}`, { key: account.apiKey });
    const rows = await api.db`
      select status, count(*)::int, bool_and(sweep_at is null and next_attempt_at is null and finished_at is not null) as over
      from deliveries where account_id = ${account.accountId} group by status order by status`;
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { status: 'cancelled', count: 3, over: true },
      { status: 'delivered', count: 1, over: true },
      { status: 'failed', count: 1, over: true },
      { status: 'parked', count: 1, over: false },
    ]);
  });
});

test("another account's webhook answers 404 to everything, and stays as it is", async () => {
  const [owner, stranger] = [await api.createAccount(), await api.createAccount()];
  const webhook = await create(owner);
  const path = `/v1/webhooks/${webhook.id}`;
  for (const [method, body] of [['GET'], ['PATCH', { events: ['*'] }], ['DELETE']] as const) {
    const answer = await api.request<Refusal>(method, path, { key: stranger.apiKey, ...(body && { body }) });
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  }
  expect((await api.request('GET', path, { key: owner.apiKey })).body).toMatchObject(webhook);
  expect((await api.request('GET', '/v1/webhooks', { key: stranger.apiKey })).body).toMatchObject({ data: [] });
});

test("another account's webhook is not deleted, nor its lock waited for: 404", async () => {
  const [owner, stranger] = [await api.createAccount(), await api.createAccount()];
  const { id } = await create(owner);
  await holdLock(api.db, async (sql) => {
    await lockPlan(sql, owner.accountId);
    await lockWebhook(sql, readId('webhook', id));
  });
  expect(await api.request('DELETE', `/v1/webhooks/${id}`, { key: stranger.apiKey })).toMatchObject({ status: 404 });
});

test.each(['wh_nonsense', 'con_01h455vb4pex5vsknk084sn02q', 'wh_01h455vb4pex5vsknk084sn02q'])(
  'an id that is none of ours answers 404: %s',
  async (id) => {
    const { apiKey } = await api.createAccount();
    expect((await api.request('GET', `/v1/webhooks/${id}`, { key: apiKey })).status).toBe(404);
  },
);
