import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { readWalked, simulateFlow } from '../../../src/api/routes/flows/simulate.ts';
import { createCredential } from '../../../src/shared/credentials/manage.ts';
import { RequestError } from '../../../src/shared/errors.ts';
import { readId } from '../../../src/shared/ids.ts';
import { newSimulation } from '../../../src/shared/runs/simulator/input-schema.ts';
import type { SimulationResult } from '../../../src/shared/runs/simulator/schema.ts';
import { useApi, type TestAccount } from '../../helpers/api.ts';
import { aFlowDefinition, flowCalls, type Refusal } from '../../helpers/flows.ts';
import { startReceiver, type Receiver } from '../../helpers/receiver.ts';
import { setRole } from '../../helpers/states/accounts.ts';
import { untold } from '../../helpers/untold.ts';

const api = await useApi();
let account: TestAccount;
let shop: Receiver;
beforeEach(async () => {
  account = await api.createAccount();
  shop = await startReceiver({ respond: { type: 'respond', body: '{"name": "King"}' } });
  onTestFinished(() => shop.close());
});

type Raw = Record<string, unknown>;

const aCall = (block: Raw = {}): Raw => ({
  id: 'stock',
  type: 'external_request',
  method: 'POST',
  url: shop.url('/stock'),
  headers: { 'X-Trace': '{{run.id}}' },
  body: '{"size": "{{last_name}}"}',
  mapping: [{ path: '$.name', field: 'last_name' }],
  ...block,
});

const ask = { id: 'size', type: 'ask', prompt: 'Which size?', expects: 'text', save_to: 'last_name', timeout: 'PT1H' };
const say = { id: 'say', type: 'send', messages: [{ text: 'Yours: {{last_name|default:"none"}}' }] };

const aFlow = async (blocks: Raw[] = [ask, aCall(), say], rest: Raw = {}) =>
  (await flowCalls(api, account).create(aFlowDefinition({ blocks, ...rest }))).id;

const simulate = (flow: string, body: unknown = {}, { key = account.apiKey } = {}) =>
  api.request<SimulationResult & Refusal>('POST', `/v1/flows/${flow}/simulate`, { key, body });

/** Really simulates, with other deps or another budget than the API has. */
const simulateWith = async (flow: string, { deps = api.deps, spend = async () => {} } = {}) => {
  const key = { accountId: account.accountId, id: readId('flow', flow) };
  const walked = await readWalked(deps, key, {});
  return simulateFlow(deps, key, { ...walked, body: newSimulation.parse({ real: true }), spend });
};

const written = () => api.db`
  select (select count(*) from runs)::int as runs, (select count(*) from contacts)::int as contacts,
    (select count(*) from messages)::int as messages, (select count(*) from requests)::int as requests,
    (select count(*) from events)::int as events, (select count(*) from tags)::int as tags`;

const mocks = { stock: { status: 200, body: { name: 'Lovelace' } } };

test('a draft is simulated with inputs and mocks, and nothing is written and nobody called', async () => {
  const before = await written();
  const contact = { first_name: 'Ada', tags: ['vip'] };
  const { status, body } = await simulate(await aFlow(), { contact, inputs: [{ text: 'M' }], mocks });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'completed',
    waiting: null,
    steps: [
      { run: 1, block_id: 'size', visit: 1, port: 'answered' },
      { block_id: 'stock', port: 'success' },
      { block_id: 'say', port: 'default' },
    ],
    messages: [{ text: 'Which size?' }, { text: 'Yours: Lovelace' }],
    contact: { first_name: 'Ada', last_name: 'Lovelace' },
    tags: ['vip'],
    requests: [
      {
        block_id: 'stock',
        method: 'POST',
        url: shop.url('/stock'),
        body: '{"size": "M"}',
        mocked: true,
        status_code: 200,
      },
    ],
    inputs: [{ to: 'run', run: 1 }],
  });
  expect(await written()).toEqual(before);
  expect(shop.requests).toEqual([]);
});

test('a request without a mock ends the simulation there, and shows what would be sent', async () => {
  const { body } = await simulate(await aFlow(), { inputs: [{ text: 'M' }, { text: 'more' }] });
  expect(body).toMatchObject({ status: 'waiting', waiting: 'mock', block_id: 'stock', inputs: [{ to: 'run' }] });
  expect(body.steps.at(-1)).toMatchObject({ block_id: 'stock', port: null });
  expect(body.requests).toMatchObject([{ body: '{"size": "M"}', port: null, reason: null, status_code: null }]);
  expect(shop.requests).toEqual([]);
});

test('time that passes makes timeouts due, each at its time', async () => {
  const now = '2026-03-04T10:00:00Z';
  const flow = await aFlow([
    { ...ask, next: { timeout: 'say' } },
    { ...say, next: { default: null } },
  ]);
  const early = await simulate(flow, { now, inputs: [{ after: 'PT59M' }] });
  expect(early.body).toMatchObject({ status: 'waiting', waiting: 'reply', wakes_at: '2026-03-04T11:00:00.000Z' });
  const late = await simulate(flow, { now, inputs: [{ after: 'PT2H' }] });
  expect(late.body).toMatchObject({ status: 'completed', now: '2026-03-04T12:00:00.000Z' });
  expect(late.body.messages[1]?.sent_at).toBe('2026-03-04T11:00:00.000Z');
});

test('a contact of the account is taken as it is, and stays so; one of another account is 404', async () => {
  const body = { first_name: 'Ada', last_name: 'King' };
  const { body: contact } = await api.request<{ id: string }>('POST', '/v1/contacts', { key: account.apiKey, body });
  const flow = await aFlow([{ id: 'set', type: 'set_field', field: 'last_name', value: 'Byron' }, say]);
  const simulated = await simulate(flow, { contact: contact.id });
  expect(simulated.body).toMatchObject({ contact: { id: contact.id, last_name: 'Byron' } });
  const stored = await api.request('GET', `/v1/contacts/${contact.id}`, { key: account.apiKey });
  expect(stored.body).toMatchObject({ last_name: 'King' });
  const other = await api.createAccount();
  const { body: foreign } = await api.request<{ id: string }>('POST', '/v1/contacts', { key: other.apiKey, body });
  expect((await simulate(flow, { contact: foreign.id })).status).toBe(404);
  expect((await simulate(flow, {}, { key: other.apiKey })).status).toBe(404);
});

test('a draft with errors is 422 with its issues; a version of it that is published is simulated', async () => {
  const flow = await aFlow([say]);
  const { publish, save } = flowCalls(api, account);
  await publish(flow);
  await save(flow, aFlowDefinition({ blocks: [{ ...say, next: { default: 'nowhere' } }] }));
  const draft = await simulate(flow);
  expect(draft.status).toBe(422);
  expect(draft.body.error.details).toMatchObject([{ code: 'missing_target', block_id: 'say' }]);
  expect((await simulate(flow, { version: 1 })).body).toMatchObject({ status: 'completed' });
  expect((await simulate(flow, { version: 2 })).status).toBe(404);
});

test('a start and mocks that are no such blocks are 422, and so are values that no field holds', async () => {
  const flow = await aFlow();
  const wrong = await simulate(flow, { start: 'none', mocks: { say: { status: 200 } } });
  expect(wrong.body.error.details?.map(({ path }) => path)).toEqual(['start', 'mocks.say']);
  const held = await simulate(flow, { contact: { phone: 'none', custom_fields: { unknown: 1 } } });
  expect(held.body.error.details?.map(({ path }) => path)).toEqual(['contact.phone', 'contact.custom_fields.unknown']);
});

test('more than 200 inputs are 422, and more than 2,000 steps end the simulation with its reason', async () => {
  const flow = await aFlow([
    { id: 'wait', type: 'delay', for: 'PT1S' },
    { id: 'again', type: 'goto', block: 'wait' },
  ]);
  const inputs = Array.from({ length: 201 }, () => ({ text: 'x' }));
  expect((await simulate(flow, { inputs })).status).toBe(422);
  const { body } = await simulate(flow, { inputs: [{ after: 'P1D' }] });
  expect(body).toMatchObject({ status: 'waiting', waiting: 'limit', reason: 'step_limit' });
  expect(body.steps.length).toBeLessThan(2_030);
});

test('a flow that sends 90 long messages for each of 200 inputs ends at 2 MB with its reason', async () => {
  const messages = Array.from({ length: 10 }, () => ({ text: 'x'.repeat(4_900) }));
  const blocks = Array.from({ length: 9 }, (_, index) => ({ id: `say_${index}`, type: 'send', messages }));
  const flow = await aFlow(blocks, { reentry: 'allow', triggers: [{ type: 'default_reply' }] });
  const inputs = Array.from({ length: 200 }, () => ({ text: 'hello' }));
  const { body, text } = await simulate(flow, { inputs });
  expect(body).toMatchObject({ status: 'waiting', waiting: 'limit', reason: 'size_limit' });
  expect(body.messages.length).toBeGreaterThan(300);
  expect(Buffer.byteLength(text)).toBeLessThan(2_200_000);
});

test('real requests are sent once each with their credentials, which are not shown', async () => {
  const { db, secrets } = api.deps;
  const input = { name: 'shop', type: 'bearer' as const, hosts: ['127.0.0.1'], token: 'sk_live_verysecret' };
  await createCredential({ ...untold(db), secrets }, account.accountId, input);
  shop.respondWith((_request, index) => ({
    type: 'respond',
    status: index === 0 ? 503 : 200,
    body: '{"name": "King"}',
  }));
  const flow = await aFlow([
    aCall({ id: 'first', credential: 'shop', next: { error: 'second' } }),
    aCall({ id: 'second', credential: 'shop' }),
    say,
  ]);
  const { text, body } = await simulate(flow, { real: true });
  expect(body).toMatchObject({
    status: 'completed',
    requests: [
      { block_id: 'first', mocked: false, status_code: 503, port: 'error', headers: { authorization: '[redacted]' } },
      { block_id: 'second', mocked: false, status_code: 200, port: 'success' },
    ],
    messages: [{ text: 'Yours: King' }],
  });
  expect(shop.requests.map(({ headers }) => headers.authorization)).toEqual(Array(2).fill('Bearer sk_live_verysecret'));
  expect(text).not.toContain('verysecret');
});

test('a simulation sends 20 real requests at most, and each takes one from the account’s budget', async () => {
  const flow = await aFlow([
    { id: 'wait', type: 'delay', for: 'PT1S' },
    aCall({ next: { error: 'wait' } }),
    { id: 'again', type: 'goto', block: 'wait' },
  ]);
  const { body, headers } = await simulate(flow, { real: true, inputs: [{ after: 'PT1H' }] });
  expect(body).toMatchObject({ status: 'waiting', waiting: 'limit', reason: 'request_limit' });
  expect(shop.requests).toHaveLength(20);
  const used = Number(headers['ratelimit-limit']) - Number(headers['ratelimit-remaining']);
  expect(used).toBeGreaterThanOrEqual(21);
});

test('two simulations of one seed send different Idempotency-Keys, and mocked requests the same ones', async () => {
  const flow = await aFlow([aCall({ id: 'mocked' }), aCall(), aCall({ id: 'again' })]);
  const call = { real: true, seed: 1, mocks: { mocked: { status: 200, body: {} } } };
  const [one, two] = [(await simulate(flow, call)).body, (await simulate(flow, call)).body];
  const keys = shop.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toHaveLength(4);
  expect(new Set(keys).size).toBe(4);
  expect(one.requests[0]?.headers).toEqual(two.requests[0]?.headers);
});

test('a simulation whose budget ends after real requests tells those that were sent', async () => {
  const flow = await aFlow([aCall({ id: 'first' }), aCall({ id: 'second' }), aCall({ id: 'third' }), say]);
  const sent = await simulateWith(flow, {
    spend: async () => {
      if (shop.requests.length === 2) throw new RequestError('rate_limited', 'No requests are left.');
    },
  });
  expect(sent).toMatchObject({ status: 'waiting', waiting: 'limit', reason: 'rate_limit' });
  expect(sent.requests).toMatchObject([{ block_id: 'first' }, { block_id: 'second' }]);
  expect(sent.steps.map(({ block_id: block }) => block)).toEqual(['first', 'second', 'third']);
});

test('a simulation that cannot go on after real requests tells those that were sent', async () => {
  const flow = await aFlow([aCall({ id: 'first' }), aCall({ id: 'second' }), say]);
  const simulateOnce: typeof api.deps.simulate = async (...asked) => {
    if (shop.requests.length === 2) throw new RequestError('unavailable', 'Too much waits.');
    return api.deps.simulate(...asked);
  };
  const sent = await simulateWith(flow, { deps: { ...api.deps, simulate: simulateOnce } });
  expect(sent).toMatchObject({ status: 'waiting', waiting: 'limit', reason: 'busy', steps: [] });
  expect(sent.requests).toMatchObject([
    { run: 1, block_id: 'first', visit: 1, mocked: false, status_code: 200, port: 'success' },
    { run: 1, block_id: 'second', visit: 1, mocked: false, status_code: 200, port: 'success' },
  ]);
});

test('a simulation that may send no real request at all is refused', async () => {
  const flow = await aFlow([aCall()]);
  const spend = async () => {
    throw new RequestError('rate_limited', 'No requests are left.');
  };
  await expect(simulateWith(flow, { spend })).rejects.toMatchObject({ code: 'rate_limited' });
  expect(shop.requests).toEqual([]);
});

test('an editor simulates a definition that is not stored, and the draft stays as it is', async () => {
  const flow = await aFlow([say]);
  const { draft } = flowCalls(api, account);
  const before = (await draft(flow)).body;
  const definition = aFlowDefinition({ blocks: [{ ...say, messages: [{ text: 'Edited' }] }] });
  const { body } = await simulate(flow, { definition });
  expect(body).toMatchObject({ status: 'completed', messages: [{ text: 'Edited' }] });
  expect((await draft(flow)).body).toEqual(before);
  const broken = aFlowDefinition({ blocks: [{ ...say, next: { default: 'nowhere' } }] });
  const refused = await simulate(flow, { definition: broken });
  expect(refused.status).toBe(422);
  expect(refused.body.error.details).toMatchObject([{ code: 'missing_target', block_id: 'say' }]);
});

test('a definition beside a version is 422, and so is more beside it than a simulation may have', async () => {
  const flow = await aFlow([say]);
  await flowCalls(api, account).publish(flow);
  const definition = aFlowDefinition({ blocks: [say] });
  const both = await simulate(flow, { definition, version: 1 });
  expect(both.status).toBe(422);
  expect(both.body.error.details?.map(({ path }) => path)).toEqual(['definition']);
  const body = 'x'.repeat(200_000);
  const mocks = { a: { status: 200, body }, b: { status: 200, body }, c: { status: 200, body } };
  expect((await simulate(flow, { mocks })).status).toBe(422);
});

test('all lists of a simulation together tell in which order everything happened', async () => {
  const flow = await aFlow([ask, { id: 'tag', type: 'add_tag', tag: 'asked' }, aCall(), say]);
  const { body } = await simulate(flow, { inputs: [{ text: 'M' }], mocks });
  const { steps, messages, changes, requests, inputs } = body;
  const told = [
    ...steps.map(({ order, block_id: block }) => [order, 'step', block]),
    ...messages.map(({ order, text }) => [order, 'says', text]),
    ...changes.map(({ order, type, name, value }) => [order, type, name, value]),
    ...requests.map(({ order, block_id: block }) => [order, 'asks', block]),
    ...inputs.map(({ order }) => [order, 'input']),
  ].toSorted(([a], [b]) => Number(a) - Number(b));
  expect(told.map(([, ...what]) => what)).toEqual([
    ['step', 'size'],
    ['says', 'Which size?'],
    ['input'],
    ['reply', 'reply.text', 'M'],
    ['field', 'last_name', 'M'],
    ['step', 'tag'],
    ['tag', 'asked', true],
    ['step', 'stock'],
    ['asks', 'stock'],
    ['field', 'last_name', 'Lovelace'],
    ['step', 'say'],
    ['says', 'Yours: Lovelace'],
  ]);
});

test('a simulation sends as many real requests as asked for, and stops at the next one', async () => {
  const flow = await aFlow([aCall({ id: 'first' }), aCall({ id: 'second' }), say]);
  const { body } = await simulate(flow, { real: true, real_requests: 1 });
  expect(body).toMatchObject({ status: 'waiting', waiting: 'mock', block_id: 'second' });
  expect(body.requests).toMatchObject([
    { block_id: 'first', mocked: false, status_code: 200, response_body: '{"name": "King"}' },
    { block_id: 'second', status_code: null },
  ]);
  expect(body.requests[0]?.response_headers).not.toBeNull();
  expect(shop.requests).toHaveLength(1);
});

test('a mock that fails to connect takes the port error with its reason', async () => {
  const flow = await aFlow([aCall({ next: { error: 'say' } }), say]);
  const { body } = await simulate(flow, { mocks: { stock: { fails: 'connect' } } });
  expect(body.requests).toMatchObject([
    { reason: 'connect' },
    { reason: 'connect' },
    { reason: 'connect', port: 'error' },
  ]);
  expect(body.messages).toMatchObject([{ text: 'Yours: none' }]);
});

test('agents simulate without headers, bodies and real requests', async () => {
  const agent = await api.createAccount();
  const flow = (await flowCalls(api, agent).create(aFlowDefinition({ blocks: [aCall({ url: shop.url('/a?key=1') })] })))
    .id;
  await setRole(api.db, agent.userId, 'agent');
  const { session } = agent;
  const call = (body: object) =>
    api.request<SimulationResult & Refusal>('POST', `/dashboard/api/flows/${flow}/simulate`, { session, body });
  const mocked = await call({ mocks: { stock: { status: 200, body: { name: 'King' } } } });
  expect(mocked.body).toMatchObject({
    status: 'completed',
    requests: [{ headers: null, body: null, response_body: null }],
  });
  expect((await call({ real: true })).status).toBe(403);
  expect((await call({ definition: aFlowDefinition({ blocks: [say] }) })).status).toBe(403);
  expect(shop.requests).toEqual([]);
});
