import { expect, onTestFinished, test } from 'vitest';
import { showId } from '../../../src/shared/ids.ts';
import { useFlowApi } from '../../helpers/flow-api.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { startReceiver } from '../../helpers/receiver.ts';

const { world, api, key } = await useFlowApi();

test('the last response to a block is that of the newest run, and null before there is one', async () => {
  const shop = await startReceiver();
  onTestFinished(() => shop.close());
  shop.respondWith((_request, index) => ({ type: 'respond', body: `{"left": ${index}}` }));
  const block = { id: 'stock', type: 'external_request', method: 'GET', url: shop.url('/stock') };
  const flow = await aFlow(world.db, world.accountId, { blocks: [block] });
  const last = (id: string) =>
    api.request<Record<string, unknown>>('GET', `/v1/flows/${showId('flow', flow)}/blocks/${id}/last-response`, {
      key,
    });
  expect(await last('stock')).toMatchObject({ status: 200, body: { request: null } });
  for (const sender of ['ada', 'bob']) {
    const { contactId } = await world.says(sender, 'hello');
    const runId = await world.enrol(contactId, flow);
    await world.advance(runId);
    await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 1);
  }
  const { status, body } = await last('stock');
  expect(status).toBe(200);
  expect(body).toMatchObject({ request: { block_id: 'stock', status_code: 200, response_body: '{"left": 1}' } });
  expect((await last('other')).body).toEqual({ request: null });
});
