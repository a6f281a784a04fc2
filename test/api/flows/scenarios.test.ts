import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createReads } from '../../../src/api/reads.ts';
import { checkScenarios, runScenario } from '../../../src/api/routes/flows/run-scenario.ts';
import { readId } from '../../../src/shared/ids.ts';
import { getScenario } from '../../../src/shared/runs/scenarios/manage.ts';
import { scenarioNoun, type ScenarioResult } from '../../../src/shared/runs/scenarios/schema.ts';
import { useApi, type TestAccount } from '../../helpers/api.ts';
import { aFlowDefinition, flowCalls, type Flow, type Refusal } from '../../helpers/flows.ts';
import { setRole } from '../../helpers/states/accounts.ts';
import { breakScenario } from '../../helpers/states/flows.ts';

const api = await useApi();
let account: TestAccount;
beforeEach(async () => {
  account = await api.createAccount();
});

const ask = { id: 'size', type: 'ask', prompt: 'Which size?', save_to: 'last_name', next: { timeout: null } };
const tag = { id: 'tag', type: 'add_tag', tag: 'asked' };
const say = { id: 'say', type: 'send', messages: [{ text: 'Yours: {{last_name|default:"none"}}' }] };

const inStock = {
  name: 'In stock',
  simulation: { inputs: [{ text: 'M' }], seed: 1 },
  expected: { status: 'completed', messages: ['Which size?', 'Yours: M'], tags: ['ASKED'] },
};

const start = async () => {
  const calls = flowCalls(api, account);
  const { id } = await calls.create(aFlowDefinition({ blocks: [ask, tag, say] }));
  const path = `/flows/${id}/scenarios`;
  const add = (body: object = inStock) => calls.call<{ id: string; name: string }>('POST', path, body);
  const run = (scenario: string, body: object = {}) =>
    calls.call<ScenarioResult>('POST', `${path}/${scenario}/run`, body);
  const keyAndWalked = async () => {
    const { definition } = (await calls.draft(id)).body;
    return [
      { accountId: account.accountId, id: readId('flow', id) },
      { definition, uses: [] },
    ] as const;
  };
  return { ...calls, id, path, add, run, keyAndWalked };
};

/** Deps of an API in which the account reads as much as it may. */
const withBusyReads = async () => {
  const reads = createReads(api.db, { waitingPerAccount: 0 });
  const { promise, resolve } = Promise.withResolvers<void>();
  onTestFinished(() => resolve());
  const refused = Promise.withResolvers<void>();
  const readForEver = (): void =>
    void reads(account.accountId, () => {
      readForEver();
      return promise;
    }).catch(refused.resolve);
  readForEver();
  await refused.promise;
  return { ...api.deps, reads };
};

test('a scenario is added, listed, read, replaced and deleted', async () => {
  const { call, path, add } = await start();
  const { status, body } = await add();
  expect(status).toBe(201);
  expect(body).toMatchObject({ id: expect.stringMatching(/^scn_/), name: 'In stock', expected: inStock.expected });
  expect((await call<{ data: unknown[] }>('GET', path)).body.data).toEqual([body]);
  const replaced = await call('PUT', `${path}/${body.id}`, { ...inStock, name: 'Other' });
  expect(replaced.body).toMatchObject({ id: body.id, name: 'Other', simulation: { inputs: [{ text: 'M' }] } });
  expect((await call('GET', `${path}/${body.id}`)).body).toEqual(replaced.body);
  expect((await call('DELETE', `${path}/${body.id}`)).status).toBe(204);
  expect((await call('GET', `${path}/${body.id}`)).status).toBe(404);
});

test('a name is taken once in a flow, whatever its letter case, and a flow has at most 50 scenarios', async () => {
  const { add, call, path } = await start();
  await add();
  expect((await add({ ...inStock, name: 'in STOCK' })).status).toBe(409);
  for (let number = 2; number <= 50; number += 1) await add({ ...inStock, name: `Number ${number}` });
  const tooMany = await add({ ...inStock, name: 'One more' });
  expect(tooMany.status).toBe(409);
  expect(tooMany.body.error.message).toContain('at most 50');
  const [last] = (await call<{ data: { id: string }[] }>('GET', path)).body.data;
  expect((await call('PUT', `${path}/${last?.id}`, inStock)).status).toBe(409);
});

test('a scenario passes while all is as expected, and else tells each difference', async () => {
  const { add, run, save, id } = await start();
  const scenario = (await add()).body.id;
  expect((await run(scenario)).body).toMatchObject({ passed: true, differences: [] });
  await save(id, aFlowDefinition({ blocks: [ask, { ...say, messages: [{ text: 'Bye' }] }, { ...say, id: 'more' }] }));
  const { body } = await run(scenario);
  expect(body).toMatchObject({ passed: false, simulation: { status: 'completed' } });
  expect(body.differences).toEqual([
    { path: 'messages.1', expected: 'Yours: M', actual: 'Bye' },
    { path: 'messages.2', expected: null, actual: 'Yours: M' },
    { path: 'tags', expected: ['ASKED'], actual: [] },
  ]);
});

test('an editor runs a scenario over a definition that is not stored', async () => {
  const { add, run } = await start();
  const { id } = (await add()).body;
  const definition = aFlowDefinition({ blocks: [ask, { ...say, messages: [{ text: 'Edited' }] }] });
  const { body } = await run(id, { definition });
  expect(body.differences.map(({ path }) => path)).toEqual(['messages.1', 'tags']);
  expect((await run(id)).body.passed).toBe(true);
});

test('fields are compared as JSON, and a field that is expected empty must be empty', async () => {
  const { add, run, call, save, id } = await start();
  await call('POST', '/custom-fields', { key: 'amount', name: 'Amount', type: 'number' });
  await save(id, aFlowDefinition({ blocks: [{ id: 'set', type: 'set_field', field: 'amount', value: 12 }] }));
  const expecting = async (name: string, fields: object) =>
    (await run((await add({ name, simulation: {}, expected: { fields } })).body.id)).body;
  expect(await expecting('same', { amount: 12, other: null })).toMatchObject({ passed: true });
  expect((await expecting('text', { amount: '12' })).differences).toEqual([
    { path: 'fields.amount', expected: '12', actual: 12 },
  ]);
  expect((await expecting('empty', { amount: null })).passed).toBe(false);
});

test('publishing warns of a scenario that fails, and publishes', async () => {
  const { add, id, publish, save } = await start();
  await add();
  const failing = async () => {
    const { status, body } = await publish(id);
    return { status, version: body.version, issues: body.issues.filter(({ code }) => code.startsWith('scenario')) };
  };
  expect(await failing()).toEqual({ status: 200, version: 1, issues: [] });
  await save(id, aFlowDefinition({ blocks: [ask, say] }));
  const issue = { severity: 'warning', code: 'scenario_failed', block_id: null, path: '', hint: null };
  const message = expect.stringContaining('"In stock": tags is []');
  expect(await failing()).toEqual({ status: 200, version: 2, issues: [{ ...issue, message }] });
});

test('a publish waits for scenarios no longer than it may, and says how many were not run', async () => {
  const { add, keyAndWalked } = await start();
  await add();
  await add({ ...inStock, name: 'Other' });
  const [key, walked] = await keyAndWalked();
  const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
  const simulate: typeof api.deps.simulate = () => {
    begin();
    return new Promise(() => {});
  };
  const deadline = new AbortController();
  const checking = checkScenarios({ ...api.deps, simulate }, key, { walked, signal: deadline.signal });
  await hasBegun;
  deadline.abort();
  expect(await checking).toMatchObject([{ code: 'scenarios_not_run', message: '2 scenarios were not run' }]);
});

test('a publish warns that no scenario was run where the list of them cannot be read', async () => {
  const { add, keyAndWalked } = await start();
  await add();
  const [key, walked] = await keyAndWalked();
  const expected = [{ severity: 'warning', code: 'scenarios_not_run', message: 'the scenarios were not run' }];
  expect(await checkScenarios(await withBusyReads(), key, { walked })).toMatchObject(expected);
  expect(await checkScenarios(api.deps, key, { walked, signal: AbortSignal.abort() })).toMatchObject(expected);
});

test('a scenario that cannot be run while the account reads too much is refused, and has not failed', async () => {
  const { add, keyAndWalked } = await start();
  const { id: scenarioId } = (await add()).body;
  const [key, walked] = await keyAndWalked();
  const scenario = await getScenario(api.db, { ...key, scenarioId: readId(scenarioNoun, scenarioId) });
  await expect(runScenario(await withBusyReads(), key, { scenario, walked })).rejects.toMatchObject({
    code: 'rate_limited',
  });
});

test('a scenario that takes too much CPU time is not compared, and a publish says that it was not run', async () => {
  const { add, keyAndWalked } = await start();
  const { id: scenarioId } = (await add({ ...inStock, expected: { tags: [] } })).body;
  const [key, walked] = await keyAndWalked();
  const scenario = await getScenario(api.db, { ...key, scenarioId: readId(scenarioNoun, scenarioId) });
  const simulate: typeof api.deps.simulate = async (...asked) => {
    const outcome = await api.deps.simulate(...asked);
    if (outcome.type === 'ask') return outcome;
    return { type: 'done', result: { ...outcome.result, waiting: 'limit', reason: 'time_limit' } };
  };
  const deps = { ...api.deps, simulate };
  const result = await runScenario(deps, key, { scenario, walked });
  expect(result).toMatchObject({ passed: null, differences: [], simulation: { reason: 'time_limit' } });
  expect(await checkScenarios(deps, key, { walked })).toMatchObject([
    { code: 'scenarios_not_run', message: '1 scenario was not run' },
  ]);
});

test('exact numbers that the database writes out in full keep no scenario from being run', async () => {
  const { call, path, id, publish } = await start();
  const numbers = Array.from({ length: 500 }, () => '1.23456789012345678e120').join();
  const body = `{"name": "Digits", "simulation": {"params": {"a": [${numbers}]}}, "expected": {"status": "completed"}}`;
  const added = await api.request<{ id: string }>('POST', `/v1${path}`, {
    key: account.apiKey,
    body,
  });
  expect(added.status).toBe(201);
  const ran = await call<ScenarioResult>('POST', `${path}/${added.body.id}/run`, {});
  expect(ran.body).toMatchObject({ passed: false, differences: [{ path: 'status' }] });
  const { status, body: published } = await publish(id);
  expect(status).toBe(200);
  expect(published.issues).toContainEqual(
    expect.objectContaining({ code: 'scenario_failed', message: expect.stringContaining('"Digits": status is') }),
  );
});

test('a fault in one scenario is logged, and the others are run', async () => {
  const { add, keyAndWalked } = await start();
  await add();
  const { id: broken } = (await add({ ...inStock, name: 'Broken' })).body;
  await add({ ...inStock, name: 'Wrong', expected: { tags: [] } });
  await breakScenario(api.db, readId(scenarioNoun, broken));
  const [key, walked] = await keyAndWalked();
  expect(await checkScenarios(api.deps, key, { walked })).toMatchObject([
    { code: 'scenario_failed', message: expect.stringContaining('"Wrong"') },
    { code: 'scenarios_not_run', message: '1 scenario was not run' },
  ]);
  expect(api.logged.join('')).toContain('scenario.not_run');
});

test('headers of mocks that carry secrets are not stored with a scenario', async () => {
  const { add, call, path } = await start();
  const headers = { 'X-Left': '3', 'Set-Cookie': 'session=1', authorization: 'Bearer 1' };
  const answer = { status: 200, headers };
  const simulation = { mocks: { one: answer, many: [answer, [answer, { timeout: true }]] } };
  const { body } = await add({ ...inStock, simulation });
  const kept = { status: 200, headers: { 'X-Left': '3' } };
  const expected = { simulation: { mocks: { one: kept, many: [kept, [kept, { timeout: true }]] } } };
  expect(body).toMatchObject(expected);
  const replaced = await call('PUT', `${path}/${body.id}`, { ...inStock, simulation });
  expect(replaced.body).toMatchObject(expected);
  expect(JSON.stringify([body, replaced.body])).not.toMatch(/cookie|authorization/i);
});

test('agents see scenarios without their mocks', async () => {
  const { add, path } = await start();
  const simulation = { ...inStock.simulation, mocks: { stock: { status: 200, body: { name: 'King' } } } };
  const { id } = (await add({ ...inStock, simulation })).body;
  const { session } = account;
  const read = async (where: string) => (await api.request('GET', `/dashboard/api${where}`, { session })).text;
  expect(await read(`${path}/${id}`)).toContain('King');
  await setRole(api.db, account.userId, 'agent');
  for (const text of [await read(path), await read(`${path}/${id}`)]) {
    expect(text).toContain('"seed":1');
    expect(text).not.toContain('mocks');
  }
});

test('a scenario whose block is gone fails with the reason', async () => {
  const { add, run, save, id } = await start();
  const scenario = (await add({ ...inStock, simulation: { start: 'tag' } })).body.id;
  await save(id, aFlowDefinition({ blocks: [say] }));
  expect((await run(scenario)).body).toMatchObject({
    passed: false,
    simulation: null,
    differences: [{ path: 'simulation', actual: expect.stringContaining('start is no block of the flow') }],
  });
});

test('a flow is duplicated as a draft with another name, and the first one stays as it is', async () => {
  const { id, call, publish, draft, read } = await start();
  await publish(id);
  const { status, body: copy } = await call<Flow & Refusal>('POST', `/flows/${id}/duplicate`);
  expect(status).toBe(201);
  expect(copy).toMatchObject({ name: 'Shirts (copy)', status: 'draft', version: null });
  expect(copy.id).not.toBe(id);
  expect((await draft(copy.id)).body.definition).toEqual((await draft(id)).body.definition);
  expect(await read(id)).toMatchObject({ name: 'Shirts', status: 'live', version: 1 });
  await call('PATCH', `/flows/${id}`, { name: 'x'.repeat(200) });
  const long = await call<Flow>('POST', `/flows/${id}/duplicate`);
  expect(long.body.name).toBe(`${'x'.repeat(190)} (copy)`);
});

test('a scenario answers with attachments, and expects files and images of messages', async () => {
  const { add, run, save, id, call } = await start();
  await call('POST', '/custom-fields', { key: 'photo', name: 'Photo', type: 'text' });
  const asks = ['image', 'file', 'location'].map((expects) => ({
    id: expects,
    type: 'ask',
    expects,
    prompt: `${expects}?`,
    next: { timeout: null },
    ...(expects === 'image' && { save_to: 'photo' }),
  }));
  const image_url = 'https://shop.example/map.png';
  const show = (picture: string, map: string) => ({
    id: 'show',
    type: 'send',
    messages: [
      { text: 'Yours: {{photo.name}}', image_url: picture },
      { text: '{{reply.attachment.latitude}}', image_url: map },
    ],
  });
  await save(id, aFlowDefinition({ blocks: [...asks, show('{{photo.url}}', image_url)] }));
  const attached = (attachment: object) => ({ attachments: [attachment] });
  const inputs = [
    attached({ type: 'image', name: 'crack.png' }),
    attached({ type: 'file', name: 'invoice.pdf' }),
    attached({ type: 'location', latitude: 52.5, longitude: 13.4 }),
  ];
  const messages = [
    'image?',
    'file?',
    { text: 'location?', attachments: [], image_url: null },
    { text: 'Yours: crack.png', attachments: [{ type: 'image', name: 'crack.png' }], image_url: null },
    { text: '52.5', image_url },
  ];
  const body = { name: 'Photo', simulation: { inputs }, expected: { status: 'completed', messages } };
  const scenario = (await add(body)).body.id;
  expect((await run(scenario)).body).toMatchObject({ passed: true, differences: [] });
  const anyName = [...messages.slice(0, 3), { attachments: [{ type: 'image' }] }, {}];
  const loose = (await add({ ...body, name: 'Loose', expected: { messages: anyName } })).body.id;
  expect((await run(loose)).body).toMatchObject({ passed: true });
  await save(id, aFlowDefinition({ blocks: [...asks, show('https://shop.example/no.png', '{{photo.url}}')] }));
  const image = { type: 'image', name: 'crack.png' };
  expect((await run(scenario)).body.differences).toEqual([
    { path: 'messages.3.image_url', expected: null, actual: 'https://shop.example/no.png' },
    { path: 'messages.3.attachments', expected: [image], actual: [] },
    { path: 'messages.4.image_url', expected: image_url, actual: null },
  ]);
  await save(id, aFlowDefinition({ blocks: asks }));
  expect((await run(loose)).body.differences).toEqual([
    { path: 'messages.3', expected: { attachments: [{ type: 'image' }] }, actual: null },
    { path: 'messages.4', expected: {}, actual: null },
  ]);
});

test('a scenario expects of a message nothing but text, image and files of known kinds', async () => {
  const { add } = await start();
  const refused = [{ words: 'a' }, { attachments: [{ type: 'location' }] }, { attachments: 'photo' }, 7];
  for (const message of refused)
    expect((await add({ ...inStock, expected: { messages: [message] } })).status).toBe(422);
});
