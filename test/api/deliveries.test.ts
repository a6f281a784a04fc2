import { expect, test } from 'vitest';
import { recordAttempt } from '../../src/shared/deliveries/attempts.ts';
import type { DeliveryStatus } from '../../src/shared/deliveries/types.ts';
import type { Variant } from '../../src/shared/facts/names.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { type TestAccount, useApi } from '../helpers/api.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { removeWebhook } from '../helpers/states/webhooks.ts';

const api = await useApi();

type Delivery = { id: string; status: string; next_attempt_at: string | null; attempts: object[] };
type Page = { data: Delivery[]; next_cursor: string | null };

const list = ({ session }: TestAccount, query = '') =>
  api.request<Page>('GET', `/dashboard/api/deliveries?${query}`, { session });

const read = ({ session }: TestAccount, id: string) =>
  api.request<Delivery>('GET', `/dashboard/api/deliveries/${id}`, { session });

const deliveriesOf = async ({ accountId }: TestAccount, statuses: readonly DeliveryStatus[], webhookId = newUuid()) => {
  const ids: string[] = [];
  for (const status of statuses)
    ids.push(showId('delivery', await aDelivery(api.db, { accountId, webhookId, status })));
  return ids.toReversed();
};

test('lists all deliveries of the account, newest first, page by page', async () => {
  const [account, other] = [await api.createAccount(), await api.createAccount()];
  const ids = await deliveriesOf(account, ['delivered', 'failed', 'pending']);
  await deliveriesOf(other, ['failed']);
  const first = await list(account, 'limit=2');
  const second = await list(account, `limit=2&cursor=${first.body.next_cursor}`);
  expect([...first.body.data, ...second.body.data].map(({ id }) => id)).toEqual(ids);
  expect(second.body.next_cursor).toBeNull();
});

test('filters by one status or several, and by webhook', async () => {
  const account = await api.createAccount();
  const webhookId = newUuid();
  const [failed] = await deliveriesOf(account, ['failed'], webhookId);
  await deliveriesOf(account, ['delivered', 'dropped', 'parked', 'failed']);
  const statuses = async (query: string) => (await list(account, query)).body.data.map(({ status }) => status);
  expect(await statuses('status=failed,dropped')).toEqual(['failed', 'dropped', 'failed']);
  expect(await statuses('status=delivered')).toEqual(['delivered']);
  expect(await statuses('status=delivered,parked')).toEqual(['parked', 'delivered']);
  const ofWebhook = await list(account, `webhook_id=${showId('webhook', webhookId)}&status=failed`);
  expect(ofWebhook.body.data.map(({ id }) => id)).toEqual([failed]);
});

test.each(['status=lost', 'status=', 'status=failed,', 'webhook_id=con_01h455vb4pex5vsknk084sn02q', 'state=failed'])(
  'refuses a filter that it does not know: %s',
  async (query) => {
    expect((await list(await api.createAccount(), query)).status).toBe(422);
  },
);

test('shows a delivery with the body that is sent and with everything that is known of each attempt', async () => {
  const account = await api.createAccount();
  const body = '{"id":"dlv","event":"new_message"}';
  const deliveryId = await aDelivery(api.db, {
    accountId: account.accountId,
    webhookId: newUuid(),
    status: 'pending',
    body,
  });
  const evidence = {
    address: '192.0.2.7',
    requestHeaders: { 'X-Service-Signature': '[redacted]' },
    responseHeaders: { 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] },
    responseBody: Buffer.from('gone fishing'),
    responseTruncated: false,
  };
  const failure = {
    outcome: 'failed',
    reason: 'status',
    statusCode: 503,
    durationMs: 120,
    generation: 1,
    evidence,
  } as const;
  const startedAt = new Date('2026-01-02T03:04:05.678Z');
  await recordAttempt(api.db, { deliveryId, round: 1, kind: 'scheduled', number: 1 }, { ...failure, startedAt });
  const later = new Date(startedAt.getTime() + 1000);
  await recordAttempt(api.db, { deliveryId, round: 1, kind: 'manual', number: 1 }, { ...failure, startedAt: later });

  const answer = await read(account, showId('delivery', deliveryId));
  expect(answer).toMatchObject({
    status: 200,
    body: { status: 'retrying', attempts_made: 1, round: 1, is_test: false, body },
  });
  expect(new Date(answer.body.next_attempt_at ?? 0).getTime()).toBeGreaterThan(Date.now());
  expect(answer.body.attempts).toEqual([
    {
      round: 1,
      kind: 'scheduled',
      number: 1,
      outcome: 'failed',
      reason: 'status',
      detail: null,
      explanation: null,
      started_at: '2026-01-02T03:04:05.678Z',
      duration_ms: 120,
      address: '192.0.2.7',
      request_headers: evidence.requestHeaders,
      status_code: 503,
      response_headers: evidence.responseHeaders,
      response_body: 'gone fishing',
      response_truncated: false,
    },
    expect.objectContaining({ kind: 'manual', number: 1, started_at: later.toISOString() }),
  ]);
});

test('an agent sees what came of a delivery, but neither headers nor bodies of what went and came', async () => {
  const account = await api.createAccount();
  const { accountId, userId, session } = account;
  const made = { accountId, webhookId: newUuid(), status: 'pending', body: 'what a contact wrote' } as const;
  const deliveryId = await aDelivery(api.db, made);
  const responseBody = Buffer.from('what the receiver said');
  await recordAttempt(
    api.db,
    { deliveryId, round: 1, kind: 'scheduled', number: 1 },
    {
      outcome: 'failed',
      reason: 'status',
      statusCode: 503,
      durationMs: 120,
      generation: 1,
      startedAt: new Date(),
      evidence: {
        address: '192.0.2.7',
        requestHeaders: { 'webhook-id': 'a header that was sent' },
        responseHeaders: { 'set-cookie': ['a header that came back'] },
        responseBody,
        responseTruncated: false,
      },
    },
  );
  const id = showId('delivery', deliveryId);
  const paths = [id, `${id}/attempts`].map((path) => `/dashboard/api/deliveries/${path}`);
  const answers = () => Promise.all(paths.map((path) => api.request('GET', path, { session })));
  const told = ['what the receiver said', 'a header that was sent', 'a header that came back'];
  for (const { text } of await answers()) for (const part of told) expect(text).toContain(part);
  await setRole(api.db, userId, 'agent');
  for (const { status, text } of await answers()) {
    expect(status).toBe(200);
    expect(text).toContain('"status_code":503');
    for (const part of ['what a contact wrote', ...told]) expect(text).not.toContain(part);
  }
});

test("another account's delivery answers 404, as does an id that names nothing", async () => {
  const [owner, stranger] = [await api.createAccount(), await api.createAccount()];
  const [id = ''] = await deliveriesOf(owner, ['failed']);
  expect((await read(owner, id)).status).toBe(200);
  expect((await read(stranger, id)).status).toBe(404);
  expect((await read(owner, showId('delivery', newUuid()))).status).toBe(404);
  expect((await read(owner, id.replace('dlv_', 'wh_'))).status).toBe(404);
});

test('filters by when they were made', async () => {
  const account = await api.createAccount();
  const before = new Date(Date.now() - 60_000).toISOString();
  const ids = await deliveriesOf(account, ['delivered', 'failed']);
  const after = new Date(Date.now() + 60_000).toISOString();
  const found = async (query: string) => (await list(account, query)).body.data.map(({ id }) => id);
  expect(await found(`since=${before}&until=${after}`)).toEqual(ids);
  expect(await found(`since=${after}`)).toEqual([]);
  expect(await found(`until=${before}`)).toEqual([]);
  expect(await found('since=0001-01-01T00:00:00Z')).toEqual(ids);
  expect((await list(account, 'since=yesterday')).status).toBe(422);
});

test.each(['9999-12-31T23:59:59-12:00', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+00:01'])(
  'a time outside the years that can be stored is refused, not an error of ours: %s',
  async (time) => {
    const account = await api.createAccount();
    const { apiKey: key, session } = account;
    for (const parameter of ['since', 'until']) {
      const answer = await list(account, new URLSearchParams({ [parameter]: time }).toString());
      expect(answer).toMatchObject({ status: 422, text: expect.stringMatching(/years 1 to 9999/) });
    }
    expect((await api.request('POST', '/v1/replays', { key, body: { since: time } })).status).toBe(422);
    const reEnable = `/dashboard/api/webhooks/${showId('webhook', newUuid())}/re-enable`;
    const replay = { type: 'since', since: time };
    expect((await api.request('POST', reEnable, { session, body: { replay } })).status).toBe(422);
  },
);

test('behind /v1 are the deliveries of variant A, and none of variant B', async () => {
  const { accountId, apiKey: key } = await api.createAccount();
  const aFailure = async (variant: Variant) => {
    const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://example.com', variant });
    return showId('delivery', await aDelivery(api.db, { accountId, webhookId, status: 'failed', variant }));
  };
  const [ofA, ofB] = [await aFailure('api'), await aFailure('dashboard')];
  const listed = await api.request<{ data: Delivery[] }>('GET', '/v1/deliveries', { key });
  expect(listed.body.data.map(({ id }) => id)).toEqual([ofA]);
  expect((await api.request('GET', `/v1/deliveries/${ofA}`, { key })).status).toBe(200);
  expect((await api.request('GET', `/v1/deliveries/${ofB}`, { key })).status).toBe(404);
});

test('behind /v1 the deliveries of several webhooks, deleted ones too, are one log, page by page', async () => {
  const { accountId, apiKey: key } = await api.createAccount();
  const aWebhook = (variant: Variant) => insertWebhook(api.deps, { accountId, url: 'https://example.com', variant });
  const webhookIds = [await aWebhook('api'), await aWebhook('api'), await aWebhook('api')];
  const ofDashboard = {
    accountId,
    webhookId: await aWebhook('dashboard'),
    status: 'delivered',
    variant: 'dashboard',
  } as const;
  const ids: string[] = [];
  for (const webhookId of [...webhookIds, ...webhookIds.toReversed(), ...webhookIds]) {
    ids.unshift(showId('delivery', await aDelivery(api.db, { accountId, webhookId, status: 'delivered' })));
    await aDelivery(api.db, ofDashboard);
  }
  await removeWebhook(api.db, webhookIds[1] ?? '');
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? 'limit=4' : `limit=4&cursor=${cursor}`;
    const { body } = await api.request<Page>('GET', `/v1/deliveries?${query}`, { key });
    found.push(...body.data.map(({ id }) => id));
    cursor = body.next_cursor;
  }
  expect(found).toEqual(ids);
});

test('the log and its filters are served by an index that starts with account_id', async () => {
  const { accountId } = await api.createAccount();
  const plan = await api.db.begin(async (sql) => {
    await sql`set local enable_seqscan = off`;
    return sql`
      explain select id from deliveries where account_id = ${accountId} and status = any('{failed,dropped}') and status <> 'delivered'
      order by id desc limit 51`;
  });
  expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Cond: .*account_id/);
});
