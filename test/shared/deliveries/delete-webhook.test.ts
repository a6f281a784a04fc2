import { expect, test } from 'vitest';
import { newUuid, readId } from '../../../src/shared/ids.ts';
import { countBacklogs } from '../../../src/shared/deliveries/backlog.ts';
import { cancelDeleted } from '../../../src/shared/deliveries/delete-webhook.ts';
import { useApi } from '../../helpers/api.ts';
import { aDelivery, manyDeliveries } from '../../helpers/deliveries.ts';

const api = await useApi();
const account = await api.createAccount();

/** A webhook with so many parked deliveries, by the API's id. */
const aWebhookWith = async (parked: number): Promise<{ id: string; uuid: string }> => {
  const body = { url: 'https://127.0.0.1:9/hook', events: ['*'], secret: 'a secret' };
  const { id } = (await api.request<{ id: string }>('POST', '/v1/webhooks', { key: account.apiKey, body })).body;
  const uuid = readId('webhook', id);
  await manyDeliveries(api.db, { accountId: account.accountId, webhookId: uuid, status: 'parked', count: parked });
  return { id, uuid };
};

const statuses = async (uuid: string) =>
  api.db`select status, count(*)::int as count from deliveries where webhook_id = ${uuid} group by status order by status`;

test('deleting a webhook cancels one batch at once, and the rest in batches, even after a crash', async () => {
  const { id, uuid } = await aWebhookWith(2_500);
  const kept = await aWebhookWith(3);
  expect((await api.request('DELETE', `/v1/webhooks/${id}`, { key: account.apiKey })).status).toBe(204);
  expect(await statuses(uuid)).toEqual([
    { status: 'cancelled', count: 1_000 },
    { status: 'parked', count: 1_500 },
  ]);
  await Promise.all([cancelDeleted(api.deps), cancelDeleted(api.deps)]);
  await cancelDeleted(api.deps);
  expect(await statuses(uuid)).toEqual([{ status: 'cancelled', count: 2_500 }]);
  expect(await statuses(kept.uuid)).toEqual([{ status: 'parked', count: 3 }]);
  const [row] = await api.db`select deliveries_cancelled_at from webhooks where id = ${uuid}`;
  expect(row).toEqual({ deliveriesCancelledAt: expect.any(Date) });
});

test('a locked delivery of a deleted webhook is cancelled once its lock is free', async () => {
  const { id, uuid } = await aWebhookWith(0);
  await api.request('DELETE', `/v1/webhooks/${id}`, { key: account.apiKey });
  await aDelivery(api.db, { accountId: account.accountId, webhookId: uuid, status: 'retrying' });
  await api.db.begin(async (sql) => {
    await sql`select 1 from deliveries where webhook_id = ${uuid} for update`;
    await cancelDeleted(api.deps);
  });
  expect(await statuses(uuid)).toEqual([{ status: 'retrying', count: 1 }]);
  await cancelDeleted(api.deps);
  expect(await statuses(uuid)).toEqual([{ status: 'cancelled', count: 1 }]);
});

test('counting the backlog of a webhook in the dashboard has a bounded cost', async () => {
  const { id, uuid } = await aWebhookWith(10_500);
  const read = await api.request('GET', `/dashboard/api/webhooks/${id}`, { session: account.session });
  expect(read.body).toMatchObject({ id, backlog: { pending: 0, retrying: 0, parked: 10_001 } });
  expect((await countBacklogs(api.db, [uuid, newUuid()])).size).toBe(1);
});
