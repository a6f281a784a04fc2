import { expect, test } from 'vitest';
import { readId } from '../../src/shared/ids.ts';
import { useApi } from '../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';
import { allWaitAtAsk, aPastRun } from '../helpers/states/runs.ts';

const api = await useApi();

const ask = { id: 'ask_size', type: 'ask', prompt: 'Which size?', next: { invalid: null, timeout: null } };

test('the counts of a flow say how many runs are at each block now, and the list of flows how many there are in all', async () => {
  const account = await api.createAccount();
  const { call, createLive } = flowCalls(api, account);
  const flow = await createLive(aFlowDefinition({ blocks: [ask] }));
  const enrol = async () => {
    const contact = await call<{ id: string }>('POST', '/contacts', { first_name: 'Ada' });
    await call('POST', `/contacts/${contact.body.id}/flows`, { flow_id: flow.id });
  };
  const counts = async () => (await call('GET', `/flows/${flow.id}/counts`)).body;
  expect(await counts()).toEqual({ blocks: [] });
  await enrol();
  await enrol();
  await allWaitAtAsk(api.db, { accountId: account.accountId, blockId: 'ask_size' });
  await enrol();
  expect(await counts()).toEqual({
    blocks: [
      { block_id: null, running: 1, waiting: 0 },
      { block_id: 'ask_size', running: 0, waiting: 2 },
    ],
  });
  expect((await call('GET', '/flows')).body).toMatchObject({ data: [{ id: flow.id, open_run_count: 3 }] });
});

test("another account's flow has no counts: 404", async () => {
  const flow = await flowCalls(api, await api.createAccount()).createLive();
  const { call } = flowCalls(api, await api.createAccount());
  expect((await call('GET', `/flows/${flow.id}/counts`)).status).toBe(404);
});

test('the statistics of a flow are those of the past week unless told, and 404 for another account', async () => {
  const account = await api.createAccount();
  const { call, createLive } = flowCalls(api, account);
  await call('POST', '/contacts', { first_name: 'Ada' });
  const flow = await createLive(aFlowDefinition({ blocks: [ask] }));
  for (const daysAgo of [1, 6, 8, 30]) await aPastRun(api.db, { flowId: readId('flow', flow.id), daysAgo });
  const stats = async (query = '') => (await call('GET', `/flows/${flow.id}/stats${query}`)).body;
  expect(await stats()).toMatchObject({ runs: 2 });
  const since = new Date(Date.now() - 20 * 86_400_000).toISOString();
  expect(await stats(`?since=${since}`)).toMatchObject({ runs: 3 });
  const stranger = flowCalls(api, await api.createAccount());
  expect((await stranger.call('GET', `/flows/${flow.id}/stats`)).status).toBe(404);
});
