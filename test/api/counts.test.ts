import { expect, test } from 'vitest';
import { insertWebhook } from '../helpers/accounts.ts';
import { useApi } from '../helpers/api.ts';
import { aContact } from '../helpers/builders.ts';
import { manyDeliveries } from '../helpers/deliveries.ts';

const api = await useApi();
const account = await api.createAccount();
const { accountId, apiKey: key, session } = account;

const counted = async (path: string) => (await api.request('GET', `/v1${path}`, { key })).body;

test.for(['contacts', 'conversations', 'runs', 'orders', 'events', 'deliveries'])(
  'counting %s takes the filters of the list and no others, and finds none of another account',
  async (list) => {
    const stranger = await api.createAccount();
    await api.request('POST', '/v1/contacts', { key: stranger.apiKey, body: aContact() });
    const own = await api.createAccount();
    const ask = (query: string) => api.request('GET', `/v1/${list}/count${query}`, { key: own.apiKey });
    expect(await ask('')).toMatchObject({ status: 200, body: { count: 0, more: false } });
    expect(await ask('?limit=10')).toMatchObject({ status: 422 });
    expect(await ask('?color=red')).toMatchObject({ status: 422 });
  },
);

test('contacts are counted by search, tag and status as they are listed', async () => {
  for (const first_name of ['Ada', 'Adam', 'Grace'])
    await api.request('POST', '/v1/contacts', { key, body: { first_name, last_name: null } });
  const { body } = await api.request<{ data: { id: string }[] }>('GET', '/v1/contacts?search=grace', { key });
  await api.request('PUT', `/v1/contacts/${body.data[0]?.id}/tags/vip`, { key });
  expect(await counted('/contacts/count')).toEqual({ count: 3, more: false });
  expect(await counted('/contacts/count?search=ada')).toEqual({ count: 2, more: false });
  expect(await counted('/contacts/count?tag=VIP')).toEqual({ count: 1, more: false });
  expect(await counted('/contacts/count?status=blocked')).toEqual({ count: 0, more: false });
});

test('deliveries are counted as far as 10,000, behind either door', async () => {
  const webhookId = await insertWebhook(api.deps, { accountId, url: 'https://a.example/hook' });
  await manyDeliveries(api.db, { accountId, webhookId, status: 'failed', count: 10_000 });
  const ofDashboard = async (query: string) =>
    (await api.request('GET', `/dashboard/api/deliveries/count${query}`, { session })).body;
  expect(await counted('/deliveries/count')).toEqual({ count: 10_000, more: false });
  await manyDeliveries(api.db, { accountId, webhookId, status: 'delivered', count: 3 });
  expect(await counted('/deliveries/count')).toEqual({ count: 10_000, more: true });
  expect(await ofDashboard('')).toEqual({ count: 10_000, more: true });
  expect(await ofDashboard('?status=delivered')).toEqual({ count: 3, more: false });
});
