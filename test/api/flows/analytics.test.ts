import { afterAll, beforeAll, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../helpers/api.ts';
import { startFlowWorld, type FlowWorld } from '../../helpers/flow-world.ts';
import { aFlow } from '../../helpers/live-flows.ts';
import { readId, showId } from '../../../src/shared/ids.ts';

let world: FlowWorld;
let api: TestApi;
beforeAll(async () => {
  world = await startFlowWorld();
  api = await startApi({ world });
});
afterAll(async () => {
  await api.stop();
  await world.stop();
});

test('numbers of blocks are answered for a flow of the account, and by version', async () => {
  const [account, stranger] = [await api.createAccount(), await api.createAccount()];
  const flowId = await aFlow(api.db, account.accountId, { blocks: [{ id: 'day', type: 'delay', for: 'P1D' }] });
  const path = `/v1/flows/${showId('flow', flowId)}/analytics`;
  const read = (query: string, key = account.apiKey) => api.request('GET', `${path}${query}`, { key });
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', {
    key: account.apiKey,
    body: { first_name: 'Ada' },
  });
  const body = { flow_id: showId('flow', flowId) };
  const { body: run } = await api.request<{ id: string }>('POST', `/v1/contacts/${contact.id}/flows`, {
    key: account.apiKey,
    body,
  });
  await world.advance(readId('run', run.id));
  const day = {
    block_id: 'day',
    entered: 1,
    left: {},
    ended: 0,
    failed: 0,
    failed_by: {},
    timed_out: 0,
    cancelled: 0,
    cancelled_by: {},
    here: { count: 1, more: false },
    before: 0,
    uncounted: 0,
    median_ms: null,
  };
  const answer = { since: expect.stringMatching(/T\d\d:00:00\.000Z$/), live_capped: false, blocks: [day] };
  for (const query of ['', '?version=1']) expect(await read(query)).toMatchObject({ status: 200, body: answer });
  expect(await read('?version=2')).toMatchObject({ body: { ...answer, blocks: [] } });
  expect(await read('?version=0')).toMatchObject({ status: 422 });
  expect(await read('', stranger.apiKey)).toMatchObject({ status: 404 });
});
