import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noEvidence } from '../../src/shared/deliveries/attempts.ts';
import { recordHealthCheck } from '../../src/shared/deliveries/health-check.ts';
import { takeOverRound } from '../../src/shared/deliveries/rounds.ts';
import { newUuid, readId, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { disableWebhook } from '../helpers/states/webhooks.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';

const api = await useApi();
let receiver: Receiver;
let account: TestAccount;
beforeEach(async () => {
  receiver = await startReceiver();
  account = await api.createAccount();
});
afterEach(() => receiver.close());

type Webhook = { id: string };

const v1 = <Body = Webhook>(method: string, path: string, body?: object, key = account.apiKey) =>
  api.request<Body>(method, `/v1/webhooks${path}`, { key, ...(body && { body }) });

const register = async () => {
  const created = await v1('POST', '', { url: receiver.url('/hook'), events: ['*'], secret: 'the secret' });
  return { created: created.body, id: readId('webhook', created.body.id) };
};

const disable = (id: string) => disableWebhook(api.db, id);

const parkOne = (webhookId: string) =>
  aDelivery(api.db, { accountId: account.accountId, webhookId, status: 'parked', body: '{"id":"parked"}' });

describe('webhooks below /v1', () => {
  test('say why and since when they are disabled, and what waits for them; the answer to a registration does not', async () => {
    const { created, id } = await register();
    expect(Object.keys(created).toSorted()).toEqual(['created_at', 'events', 'id', 'status', 'url']);
    await disable(id);
    await parkOne(id);
    const other = await register();
    await parkOne(other.id);
    await parkOne(other.id);
    const ofOther = {
      ...other.created,
      disabled_reason: null,
      disabled_at: null,
      backlog: { pending: 0, retrying: 0, parked: 2 },
    };
    const shown = {
      ...created,
      status: 'disabled',
      disabled_reason: 'failures',
      disabled_at: expect.any(String),
      backlog: { pending: 0, retrying: 0, parked: 1 },
    };
    expect((await v1('GET', `/${created.id}`)).body).toEqual(shown);
    expect((await v1<{ data: object[] }>('GET', '')).body.data).toEqual([ofOther, shown]);
    expect((await v1('PATCH', `/${created.id}`, { events: ['new_message'] })).body).toEqual({
      ...shown,
      events: ['new_message'],
    });
  });

  test('with as many replays open as an account may have, a re-enabling with one is refused before the endpoint is asked', async () => {
    const { created, id } = await register();
    await disable(id);
    await parkOne(id);
    const asked = { key: account.apiKey };
    for (const status of ['failed', 'dropped', 'parked', 'cancelled', 'delivered']) {
      const { status: answered } = await api.request('POST', '/v1/replays', { ...asked, body: { status: [status] } });
      expect(answered).toBe(202);
    }
    const refused = await v1('POST', `/${created.id}/re-enable`, { replay: { type: 'all' } });
    expect(refused.status).toBe(409);
    expect(receiver.requests).toEqual([]);
    expect(await v1('POST', `/${created.id}/re-enable`, {})).toMatchObject({ status: 200, body: { status: 'active' } });
  });

  test('a disabled one is re-enabled when its endpoint takes the oldest parked delivery, with the replay that is chosen', async () => {
    const { created, id } = await register();
    await disable(id);
    await parkOne(id);
    const answer = await v1('POST', `/${created.id}/re-enable`, { replay: { type: 'all' } });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        ...created,
        status: 'active',
        disabled_reason: null,
        disabled_at: null,
        last_check: { ok: true, status: 200 },
        replay: { status: 'running', total: 1 },
        replay_found: { parked: 1, failed: 0, dropped: 0 },
      },
    });
    expect(receiver.requests.map(({ rawBody }) => rawBody.toString())).toEqual(['{"id":"parked"}']);
    expect((await v1('POST', `/${created.id}/re-enable`)).status).toBe(409);
  });

  test('what a re-enabling would replay is counted before, by the same rules, without asking the endpoint', async () => {
    const { created, id } = await register();
    const { accountId } = account;
    for (const status of ['failed', 'delivered', 'failed', 'parked', 'parked'] as const)
      await aDelivery(api.db, { accountId, webhookId: id, status, body: '{}' });
    await disable(id);
    const preview = async (replay: object) =>
      (await v1<{ replay_found: object | null }>('POST', `/${created.id}/re-enable/preview`, { replay })).body;
    const all = await preview({ type: 'all' });
    expect(all).toEqual({ replay_found: { parked: 2, failed: 1, dropped: 0 } });
    expect(await preview({ type: 'since', since: '2020-01-01' })).toEqual({
      replay_found: { parked: 2, failed: 0, dropped: 0 },
    });
    expect(await preview({ type: 'none' })).toEqual({ replay_found: null });
    expect(receiver.requests).toEqual([]);
    expect(await v1('POST', `/${created.id}/re-enable`, { replay: { type: 'all' } })).toMatchObject({
      body: { status: 'active', ...all },
    });
  });

  test('stays disabled while its endpoint answers anything but 200, and the answer says what', async () => {
    const { created, id } = await register();
    await disable(id);
    receiver.respondWith({ type: 'respond', status: 503, body: 'closed' });
    expect(await v1('POST', `/${created.id}/re-enable`, { replay: { type: 'all' } })).toMatchObject({
      status: 200,
      body: {
        status: 'disabled',
        last_check: { ok: false, status: 503, excerpt: 'closed' },
        replay: null,
        replay_found: null,
      },
    });
  });

  test("the check stands among its delivery's attempts, without signatures, and counts for nothing", async () => {
    const { created, id } = await register();
    await disable(id);
    const deliveryId = await parkOne(id);
    receiver.respondWith({ type: 'respond', status: 503, body: 'closed' });
    await v1('POST', `/${created.id}/re-enable`);
    receiver.respondWith(200);
    await v1('POST', `/${created.id}/re-enable`);

    const path = `/v1/deliveries/${showId('delivery', deliveryId)}`;
    const { body: shown } = await api.request<object>('GET', path, { key: account.apiKey });
    const failed = { round: 1, kind: 'check', number: 1, outcome: 'failed', reason: 'status', status_code: 503 };
    expect(shown).toMatchObject({
      status: 'parked',
      round: 1,
      attempts_made: 0,
      finished_at: null,
      attempts: [
        {
          ...failed,
          response_body: 'closed',
          address: '127.0.0.1',
          request_headers: { 'webhook-signature': '[redacted]', 'X-Service-Signature': '[redacted]' },
        },
        { round: 1, kind: 'check', number: 2, outcome: 'succeeded', reason: null, status_code: 200 },
      ],
    });
    type Page = { data: object[]; next_cursor: string };
    const page = (query: string) => api.request<Page>('GET', `${path}/attempts?${query}`, { key: account.apiKey });
    const { body: first } = await page('limit=1');
    expect((await page(`limit=1&cursor=${first.next_cursor}`)).body.data).toMatchObject([failed]);
    expect(await takeOverRound(api.db, { deliveryId, round: 1 })).toMatchObject({
      attemptsMade: 0,
      manualAttemptsMade: 0,
      last: null,
    });
    expect(await api.db`select from deliveries where id = ${deliveryId} and succeeded_at is null`).toHaveLength(1);
  });

  test('checks made at the same time are counted each, and the latest 20 of a round are kept', async () => {
    const { id } = await register();
    const deliveryId = await parkOne(id);
    const check = {
      outcome: 'failed',
      reason: 'reset',
      durationMs: 1,
      startedAt: new Date(),
      evidence: noEvidence,
    } as const;
    const checks = Array.from({ length: 25 }, () => recordHealthCheck(api.db, { deliveryId, round: 1 }, check));
    await Promise.all(checks);
    const kept = await api.db<{ number: number }[]>`
      select number from attempts where delivery_id = ${deliveryId} order by number`;
    expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, index) => index + 6));
  });

  test("a dashboard webhook, another account's and an unknown one are not there, and nobody is asked", async () => {
    const { created, id } = await register();
    await disable(id);
    const b = await insertWebhook(api.deps, {
      accountId: account.accountId,
      url: receiver.url('/b'),
      variant: 'dashboard',
    });
    await disable(b);
    const { apiKey } = await api.createAccount();
    expect((await v1('POST', `/${created.id}/re-enable`, undefined, apiKey)).status).toBe(404);
    for (const one of [b, newUuid()]) {
      expect((await v1('POST', `/${showId('webhook', one)}/re-enable`)).status).toBe(404);
    }
    expect(receiver.requests).toEqual([]);
  });
});
