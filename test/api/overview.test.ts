import { expect, test } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { insertWebhook } from '../helpers/accounts.ts';
import { useApi, type TestAccount } from '../helpers/api.ts';
import { aContact, anInboundMessage } from '../helpers/builders.ts';
import { aDelivery, failAttempts, manyDeliveries } from '../helpers/deliveries.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { setRole } from '../helpers/states/accounts.ts';
import { aRefusedCredential } from '../helpers/states/tokens.ts';
import { haveManyRuns } from '../helpers/states/runs.ts';
import { aPastDelivery } from '../helpers/states/statistics.ts';
import { disableWebhook, haveDeletedWebhooks } from '../helpers/states/webhooks.ts';

const api = await useApi();
const { db } = api;

const overviewOf = async ({ session }: TestAccount) => {
  const { status, body } = await api.request<Record<string, unknown>>('GET', '/dashboard/api/overview', { session });
  expect(status).toBe(200);
  return body;
};

const none = { count: 0, more: false };
const nothing = {
  disabled_webhooks: { data: [], more: false },
  failing_webhooks: [],
  backlog: { pending: none, retrying: none, parked: none, overdue: none, oldest_overdue_at: null },
  lost_deliveries: { failed: none, dropped: none },
  failing_flows: { data: [], more: false },
  refused_credentials: { data: [], more: false },
  handovers: { open: none, unassigned: none, oldest_unassigned_at: null, waiting: [] },
  files: { bytes: 0, files: 0, bytes_at_most: 5_000 * 1024 * 1024, files_at_most: 50_000 },
};
const begun = { api_key: true, channel: false, webhook: false, message: false, delivery: false };
const token = 'https://hooks.example.com/T0A1B2C3D4E5F6G7/in';

test('what needs attention is told to its account alone', async () => {
  const [account, stranger] = [await api.createAccount(), await api.createAccount()];
  const { accountId, apiKey: key } = account;
  // Before there are webhooks, which would hear of it.
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', { key, body: aContact() });
  const body = { contact_id: contact.id, reason: 'Help' };
  await api.request('POST', '/v1/handovers', { key, body });
  const [broken, webhookId] = [
    await insertWebhook(api.deps, { accountId, url: token }),
    await insertWebhook(api.deps, { accountId, url: 'https://a.example/' }),
  ];
  await disableWebhook(db, broken);
  await aDelivery(db, { accountId, webhookId: broken, status: 'parked' });
  const failing = await insertWebhook(api.deps, { accountId, url: token });
  await failAttempts(db, await aDelivery(db, { accountId, webhookId: failing, status: 'pending' }), { times: 2 });
  const of = { accountId, webhookId };
  for (const status of ['pending', 'retrying', 'failed', 'failed'] as const) await aDelivery(db, { ...of, status });
  const ofDashboard = { accountId, variant: 'dashboard' } as const;
  const dropping = await insertWebhook(api.deps, { ...ofDashboard, url: 'https://c.example/' });
  await aDelivery(db, { ...ofDashboard, webhookId: dropping, status: 'dropped' });
  await aDelivery(db, { ...of, status: 'failed', isTest: true });
  const [yesterday, anHourAgo] = [new Date(Date.now() - 25 * 3_600_000), new Date(Date.now() - 3_600_000)];
  await aPastDelivery(db, { ...of, at: yesterday, status: 'failed' });
  await manyDeliveries(db, { ...of, status: 'pending', count: 2, round: 2 });
  const flowId = await aFlow(db, accountId, { blocks: [{ id: 'hello', type: 'send', messages: [{ text: 'Hello' }] }] });
  await haveManyRuns(db, flowId, 10_000);
  const credentialId = await aRefusedCredential(api.deps, accountId, 'shop');

  const overview = await overviewOf(account);
  expect(overview).toMatchObject({
    disabled_webhooks: {
      data: [
        { id: showId('webhook', broken), url: token, disabled_reason: 'failures', parked: { count: 1, more: false } },
      ],
      more: false,
    },
    backlog: {
      pending: { count: 3, more: false },
      retrying: { count: 2, more: false },
      parked: { count: 1, more: false },
      overdue: { count: 2, more: false },
      oldest_overdue_at: expect.toSatisfy((at: string) => Math.abs(Date.parse(at) - anHourAgo.getTime()) < 60_000),
    },
    lost_deliveries: { failed: { count: 2, more: false }, dropped: { count: 1, more: false } },
    failing_flows: { data: [{ id: showId('flow', flowId), failed_runs: { count: 1, more: false } }], more: false },
    refused_credentials: {
      data: [{ id: showId('credential', credentialId), name: 'shop', refused_at: expect.any(String) }],
      more: false,
    },
    failing_webhooks: [{ id: showId('webhook', failing), url: token, failing_since: expect.any(String) }],
    handovers: {
      open: { count: 1, more: false },
      unassigned: { count: 1, more: false },
      waiting: [{ contact_id: contact.id, conversation_id: null }],
    },
  });
  expect(await overviewOf(stranger)).toEqual({ ...nothing, since: expect.any(String), checklist: begun });
  await setRole(db, account.userId, 'agent');
  const url = 'https://hooks.example.com/…/in';
  const masked = { disabled_webhooks: { data: [{ url }] }, failing_webhooks: [{ url }] };
  expect(await overviewOf(account)).toMatchObject(masked);
});

test('everything is counted up to a thousand, and told to be more', async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/' });
  await disableWebhook(db, webhookId);
  for (const status of ['pending', 'parked', 'failed'] as const)
    await manyDeliveries(db, { accountId, webhookId, status, count: 1_001 });
  for (let number = 0; number < 20; number += 1)
    await disableWebhook(db, await insertWebhook(api.deps, { accountId, url: 'https://b.example/' }));
  const many = { count: 1_000, more: true };
  const overview = await overviewOf(account);
  expect(overview).toMatchObject({
    disabled_webhooks: { more: true },
    backlog: { pending: many, parked: many, retrying: none },
    lost_deliveries: { failed: many, dropped: none },
  });
  expect(overview['disabled_webhooks']).toHaveProperty('data.length', 20);
});

test('the checklist of a new account is done step by step, until a signed event is delivered that is no test', async () => {
  const account = await api.createAccount();
  const { accountId, apiKey: key } = account;
  const steps = async () => (await overviewOf(account))['checklist'];
  expect(await steps()).toEqual(begun);
  const { body: channel } = await api.request<{ id: string }>('POST', '/v1/channels', {
    key,
    body: { type: 'api', name: 'Shop' },
  });
  expect(await steps()).toEqual({ ...begun, channel: true });
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/' });
  expect(await steps()).toEqual({ ...begun, channel: true, webhook: true });
  await api.request('POST', `/v1/channels/${channel.id}/inbound`, { key, body: anInboundMessage() });
  await aDelivery(db, { accountId, webhookId, status: 'delivered', isTest: true });
  const almost = { ...begun, channel: true, webhook: true, message: true };
  expect(await steps()).toEqual(almost);
  await aDelivery(db, { accountId, webhookId, status: 'delivered' });
  expect(await steps()).toEqual({ ...almost, delivery: true });
});

test('a delivery to a webhook that is there is seen however many younger ones were deleted', async () => {
  const account = await api.createAccount();
  const { accountId } = account;
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/' });
  await aDelivery(db, { accountId, webhookId, status: 'delivered' });
  await haveDeletedWebhooks(db, accountId, { count: 300 });
  expect((await overviewOf(account))['checklist']).toMatchObject({ delivery: true });
});
