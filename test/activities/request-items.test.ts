import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { callThirdParty } from '../../src/activities/call-third-party.ts';
import { attemptRequest } from '../../src/shared/external-requests/attempt-request.ts';
import { writeFields } from '../../src/shared/contacts/write-fields.ts';
import { createField } from '../../src/shared/custom-fields/manage.ts';
import type { Json } from '../../src/shared/custom-fields/values.ts';
import { showId } from '../../src/shared/ids.ts';
import { isBusy } from '../../src/shared/platform/bulkhead/busy.ts';
import { parseEgressAllow } from '../../src/shared/platform/egress/addresses.ts';
import { createEgress } from '../../src/shared/platform/egress/client.ts';
import { createVersions } from '../../src/shared/runs/engine/versions.ts';
import { cancelRun } from '../../src/shared/runs/life/cancel.ts';
import { retryRun } from '../../src/shared/runs/life/retry.ts';
import { beginAttempt } from '../../src/shared/runs/requests/begin-attempt.ts';
import { finishAttempt } from '../../src/shared/runs/requests/finish-attempt.ts';
import { findCauseOfRequest } from '../../src/shared/runs/requests/cause-of-request.ts';
import { startFlowWorld, type FlowWorld } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startReceiver, type Answer, type Receiver } from '../helpers/receiver.ts';
import { ageCalls, insertPastRequests } from '../helpers/states/calls.ts';
import { loseWorkflow } from '../helpers/states/runs.ts';
import { testCa } from '../helpers/tls.ts';
import { untold } from '../helpers/untold.ts';
import { noLinks } from '../helpers/no-links.ts';

let world: FlowWorld;
let shop: Receiver;
beforeAll(async () => {
  world = await startFlowWorld();
  for (const [key, type] of [
    ['states', 'json'],
    ['names', 'list'],
    ['faults', 'json'],
    ['note', 'text'],
  ] as const)
    await createField(untold(world.db), world.accountId, { key, name: key, type });
});
afterAll(() => world.stop());
beforeEach(async () => {
  shop = await startReceiver();
  onTestFinished(() => shop.close());
});

/** Answers by the item that the path names: a status, or 200 with its state. */
const answerBy = (answers: Readonly<Record<string, number>>) => {
  shop.respondWith(({ path }): Answer => {
    const item = path.slice(1);
    const status = answers[item] ?? 200;
    return { type: 'respond', status, body: JSON.stringify({ state: `${item} done`, why: `${item} refused` }) };
  });
};

const askedFor = (): string[] => shop.requests.map(({ path }) => path.slice(1));

let senders = 0;
/** A run that is at a request for each of these items. */
const atList = async (items: Json, fields: Readonly<Record<string, unknown>> = {}, forEach: object = {}) => {
  senders += 1;
  const { contactId } = await world.says(`sender-${senders}`, 'hello');
  const block = {
    id: 'each',
    type: 'external_request',
    method: 'GET',
    url: shop.url('/{{item}}'),
    for_each: { items: '{{params.items}}', ...forEach },
    mapping: [
      { path: '$.state', field: 'states' },
      { path: '$.state', field: 'names' },
    ],
    attempts: 1,
    next: { success: 'good', error: 'bad' },
    ...fields,
  };
  const note = (id: string) => ({ id, type: 'set_field', field: 'note', value: id, next: { default: null } });
  const flowId = await aFlow(world.db, world.accountId, { blocks: [block, note('good'), note('bad')] });
  const runId = await world.enrol(contactId, flowId, { items });
  expect(await world.advance(runId)).toMatchObject({ type: 'call', step: 1, blockId: 'each' });
  const call = (resumes = 0) => world.activities.callThirdParty({ runId: showId('run', runId), resumes }, 1);
  const status = async () => (await world.run(runId)).waiting;
  /** Attempts that follow one another, as the workflow makes them, until the block is left. */
  const callThrough = async (resumes = 0): Promise<void> => {
    while ((await status()) === 'call') {
      const { retryInMs } = await call(resumes);
      if (retryInMs !== undefined) await ageCalls(world.db, runId, { seconds: retryInMs / 1_000 });
    }
  };
  const contactFields = async () => {
    const [contact] = await world.db<{ customFields: Record<string, unknown> }[]>`
      select custom_fields from contacts where id = ${contactId}`;
    return contact?.customFields;
  };
  return { runId, contactId, call, callThrough, fields: contactFields };
};

const requestsOf = (runId: string) => world.db<Record<string, unknown>[]>`
  select item_index, try, state, status_code, reason, detail, port, idempotency_key from requests
  where run_id = ${runId} and block_id <> 'past' order by id`;

const stepOf = async (runId: string) => {
  const [step] = await world.db<{ port: string | null; reason: string | null; items: unknown }[]>`
    select port, reason, items from run_steps where run_id = ${runId} and number = 1`;
  return step;
};

test('each item gets a request with its own Idempotency-Key, in order, and fields get lists', async () => {
  answerBy({});
  const { runId, callThrough, fields } = await atList(['a', 'b', 'c'], {
    headers: { 'X-Index': '{{index}}' },
  });
  await callThrough();
  expect(askedFor()).toEqual(['a', 'b', 'c']);
  const key = `${showId('run', runId)}:each:1`;
  expect(shop.requests.map(({ headers }) => [headers['x-index'], headers['idempotency-key']])).toEqual([
    ['0', `${key}:0`],
    ['1', `${key}:1`],
    ['2', `${key}:2`],
  ]);
  const states = ['a done', 'b done', 'c done'];
  expect(await fields()).toEqual({ states, names: states, note: 'good' });
  expect(await stepOf(runId)).toEqual({ port: 'success', reason: null, items: null });
  expect(await requestsOf(runId)).toMatchObject(
    [0, 1, 2].map((itemIndex) => ({ itemIndex, try: 1, port: 'success', idempotencyKey: `${key}:${itemIndex}` })),
  );
});

test('parts of an item fill in every template, each for its place', async () => {
  const { callThrough } = await atList([{ id: 'a b', count: 2, tags: ['x'] }], {
    method: 'POST',
    url: shop.url('/{{item.id}}'),
    body: '{"n": {{item.count}}, "t": {{item.tags}}, "all": "{{item.id}}"}',
  });
  await callThrough();
  expect(shop.requests[0]?.path).toBe('/a%20b');
  expect(String(shop.requests[0]?.rawBody)).toBe('{"n": 2, "t": ["x"], "all": "a b"}');
});

test('an item that fails ends the block by error, with the results so far and no more requests', async () => {
  answerBy({ b: 404 });
  const { runId, callThrough, fields } = await atList(['a', 'b', 'c'], {
    error_mapping: [{ path: '$.why', field: 'faults' }],
  });
  await callThrough();
  expect(askedFor()).toEqual(['a', 'b']);
  expect(await stepOf(runId)).toEqual({ port: 'error', reason: 'status_404', items: null });
  expect(await requestsOf(runId)).toMatchObject([
    { itemIndex: 0, port: 'success' },
    { itemIndex: 1, port: 'error', statusCode: 404 },
  ]);
  expect(await fields()).toEqual({
    states: ['a done', null],
    names: ['a done'],
    faults: [null, 'b refused'],
    note: 'bad',
  });
});

test('with on_error continue the next items follow, and a json field has null for what failed', async () => {
  answerBy({ b: 404, c: 500 });
  const { runId, callThrough, fields } = await atList(['a', 'b', 'c', 'd'], {}, { on_error: 'continue' });
  await callThrough();
  expect(await stepOf(runId)).toEqual({ port: 'success', reason: null, items: null });
  expect((await requestsOf(runId)).map(({ port }) => port)).toEqual(['success', 'error', 'error', 'success']);
  expect(await fields()).toEqual({
    states: ['a done', null, null, 'd done'],
    names: ['a done', 'd done'],
    note: 'good',
  });
});

test('no answer in time takes error, as every item that fails', async () => {
  shop.respondWith({ type: 'hang' });
  const { runId, callThrough } = await atList(['a'], { timeout_ms: 1_000 });
  await callThrough();
  expect(await stepOf(runId)).toMatchObject({ port: 'error', reason: 'timeout' });
});

test.for<[what: string, items: Json, message: string]>([
  ['more than 100 items', Array.from({ length: 101 }, (_, item) => item), 'has 101 items, more than 100'],
  ['a text', 'a, b', 'is no list'],
  ['an object', { a: 1 }, 'is no list'],
])('%s are no list to make requests for, so the block takes error and says why', async ([, items, message]) => {
  const { runId, callThrough } = await atList(items);
  await callThrough();
  expect(await stepOf(runId)).toEqual({ port: 'error', reason: 'items', items: null });
  expect(await requestsOf(runId)).toMatchObject([
    { state: 'failed', reason: 'items', detail: `for_each.items: ${message}`, port: 'error' },
  ]);
  expect(shop.requests).toEqual([]);
});

test.for<[what: string, items: Json]>([
  ['an empty list', []],
  ['null', null],
])('%s takes success at once, without a request', async ([, items]) => {
  const { runId, callThrough, fields } = await atList(items);
  await callThrough();
  expect(await stepOf(runId)).toMatchObject({ port: 'success', items: null });
  expect(await requestsOf(runId)).toEqual([]);
  expect(await fields()).toMatchObject({ states: [], note: 'good' });
});

test('a list that is written as JSON in a text is one', async () => {
  answerBy({});
  const { callThrough } = await atList('["a", {"b": 1}]', { url: shop.url('/{{item.b|default:"a"}}') });
  await callThrough();
  expect(askedFor()).toEqual(['a', '1']);
});

test('a text that escapes what PostgreSQL cannot hold is a list all the same', async () => {
  answerBy({});
  const { callThrough } = await atList('["a\\u0000", "\\ud800b"]');
  await callThrough();
  expect(askedFor()).toEqual(['a%EF%BF%BD', '%EF%BF%BDb']);
});

test.for<[what: string, items: string]>([
  ['more digits than PostgreSQL takes', '[1e200000]'],
  ['more nesting than is stored', `${'['.repeat(60)}${']'.repeat(60)}`],
])('a text with %s is no list to make requests for', async ([, items]) => {
  const { runId, callThrough } = await atList(items);
  await callThrough();
  expect(await stepOf(runId)).toEqual({ port: 'error', reason: 'items', items: null });
  expect(shop.requests).toEqual([]);
});

test('the items are those of the first request, also when the contact changes meanwhile', async () => {
  answerBy({});
  const { call, callThrough, contactId } = await atList(null, {}, { items: '{{faults}}' });
  const write = (faults: Json) =>
    writeFields(world.db, { accountId: world.accountId, contactId, custom: { faults }, profile: {} });
  await write(['a', 'b']);
  await call();
  await write([]);
  await callThrough();
  expect(askedFor()).toEqual(['a', 'b']);
});

describe('a crash', () => {
  test('after an item was recorded goes on at the next one, and asks for none twice', async () => {
    answerBy({});
    const { runId, call, callThrough, fields } = await atList(['a', 'b', 'c', 'd']);
    // Each answer to the workflow is lost: it asks again, as another workflow would.
    for (let item = 0; item < 3; item += 1) expect(await call()).toMatchObject({ status: 200, port: 'success', item });
    expect(askedFor()).toEqual(['a', 'b', 'c']);
    expect(await world.run(runId)).toMatchObject({ status: 'waiting', waiting: 'call', reason: 'next_item' });
    await callThrough();
    expect(askedFor()).toEqual(['a', 'b', 'c', 'd']);
    expect(await fields()).toMatchObject({ states: ['a done', 'b done', 'c done', 'd done'] });
  });

  /** A process dies after it has begun the request for the second item. */
  const lostAtSecond = async (fields: Readonly<Record<string, unknown>>, forEach: object = {}) => {
    answerBy({});
    const run = await atList(['a', 'b', 'c'], fields, forEach);
    await run.call();
    const { transact, secrets } = world;
    const deps = {
      transact,
      secrets,
      readVersion: createVersions(),
      baseUrl: 'https://a.example',
      apiUrl: '',
      lastingLinkTo: noLinks,
    };
    const begun = await beginAttempt(deps, { runId: run.runId, resumes: 0 }, { step: 1 });
    expect(begun).toMatchObject({ type: 'now', number: 1, item: { index: 1, value: 'b' } });
    await ageCalls(world.db, run.runId, { seconds: 60 });
    return { ...run, begun, deps };
  };

  test('in an item has a GET made again for this item, with the same key', async () => {
    const { runId, callThrough, fields } = await lostAtSecond({});
    await callThrough();
    expect(askedFor()).toEqual(['a', 'b', 'c']);
    const [, lost, again, last] = await requestsOf(runId);
    expect([lost, again, last]).toMatchObject([
      { itemIndex: 1, try: 1, state: 'unknown', port: null },
      { itemIndex: 1, try: 2, port: 'success', idempotencyKey: lost?.['idempotencyKey'] },
      { itemIndex: 2, try: 1, port: 'success' },
    ]);
    expect(await fields()).toMatchObject({ states: ['a done', 'b done', 'c done'] });
  });

  test('in an item of a POST ends the block by error, and nothing is asked for twice', async () => {
    const { runId, callThrough, fields } = await lostAtSecond({ method: 'POST', next: { success: null } });
    await callThrough();
    expect(await stepOf(runId)).toMatchObject({ port: 'error', reason: 'outcome_unknown', items: null });
    expect(askedFor()).toEqual(['a']);
    expect(await fields()).toMatchObject({ states: ['a done', null] });
    const retried = world.transact((tx) => retryRun(tx, { accountId: world.accountId, runId }));
    await expect(retried).rejects.toMatchObject({ code: 'conflict' });
  });

  test.for<[whose: string, overtaken: boolean]>([
    ['the same workflow', false],
    ['an earlier workflow', true],
  ])('by %s, a late answer to a POST that was given up changes nothing of its list', async ([, overtaken]) => {
    const { runId, begun, deps, call, callThrough, fields } = await lostAtSecond(
      { method: 'POST' },
      { on_error: 'continue' },
    );
    if (begun.type !== 'now') throw new TypeError('it was begun');
    await insertPastRequests(world.db, { accountId: world.accountId, runId, count: 49 });
    expect(await call()).toMatchObject({ reason: 'call_limit' });
    if (overtaken) await loseWorkflow(world.db, runId);
    const egress = createEgress({ allow: parseEgressAllow('127.0.0.1'), extraCa: testCa().certPem });
    onTestFinished(() => egress.close());
    const made = await attemptRequest(egress, begun);
    if (made.type === 'busy') throw new TypeError('nothing else is under way');
    await finishAttempt(deps, begun, made);
    await ageCalls(world.db, runId, { seconds: 3_700 });
    await callThrough(overtaken ? 1 : 0);
    expect(askedFor()).toEqual(['a', 'b', 'c']);
    expect(await fields()).toMatchObject({ states: ['a done', null, 'c done'] });
  });

  test('in an item of a POST that may be left out goes on with the next item', async () => {
    const { callThrough, fields } = await lostAtSecond({ method: 'POST' }, { on_error: 'continue' });
    await callThrough();
    expect(askedFor()).toEqual(['a', 'c']);
    expect(await fields()).toMatchObject({ states: ['a done', null, 'c done'] });
  });
});

test('an item that cannot be rendered fails alone: nothing is sent for it', async () => {
  answerBy({});
  const { runId, callThrough } = await atList(['a', '', 'c'], {}, { on_error: 'continue' });
  await callThrough();
  expect(askedFor()).toEqual(['a', 'c']);
  expect((await requestsOf(runId)).map(({ reason }) => reason)).toEqual([null, 'invalid_request', null]);
});

test('attempts are counted for each item by itself, and all attempts of an item have its key', async () => {
  const seen = new Set<string>();
  shop.respondWith(({ path }) => {
    const isFirst = !seen.has(path);
    seen.add(path);
    return isFirst ? 503 : { type: 'respond', body: '{"state": "fine"}' };
  });
  const { runId, callThrough, fields } = await atList(['a', 'b'], { attempts: 2 });
  await callThrough();
  expect((await requestsOf(runId)).map(({ itemIndex, try: number }) => [itemIndex, number])).toEqual([
    [0, 1],
    [0, 2],
    [1, 1],
    [1, 2],
  ]);
  expect(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  expect(await fields()).toMatchObject({ states: ['fine', 'fine'] });
});

test('each item counts as a request: a list waits after fifty in an hour, and fails at 500', async () => {
  answerBy({});
  const { accountId, db } = world;
  const { runId, call } = await atList(['a', 'b', 'c']);
  await insertPastRequests(db, { accountId, runId, count: 49 });
  expect(await call()).toMatchObject({ status: 200 });
  expect(await call()).toMatchObject({ reason: 'call_limit', retryInMs: expect.any(Number) });
  await ageCalls(db, runId, { seconds: 3_700 });
  expect(await call()).toMatchObject({ status: 200, item: 1 });
  await insertPastRequests(db, { accountId, runId, count: 449 });
  await ageCalls(db, runId, { seconds: 3_700 });
  await call();
  expect(await world.run(runId)).toMatchObject({ status: 'failed', reason: 'call_limit' });
  expect(askedFor()).toEqual(['a', 'b']);
});

test('results that their field cannot hold fail the item that they came with', async () => {
  shop.respondWith({ type: 'respond', body: JSON.stringify({ state: 'x'.repeat(8_000) }) });
  const { runId, callThrough, fields } = await atList(['a', 'b', 'c', 'd'], {
    mapping: [{ path: '$.state', field: 'states' }],
  });
  await callThrough();
  expect(await stepOf(runId)).toMatchObject({ port: 'error', reason: 'mapping' });
  expect((await requestsOf(runId)).at(-1)).toMatchObject({
    itemIndex: 2,
    port: 'error',
    reason: 'mapping',
    detail: expect.stringContaining('states must be'),
  });
  expect((await fields())?.['states']).toHaveLength(3);
});

test('a run that is cancelled between two items keeps none of its list, and asks for no more', async () => {
  answerBy({});
  const { runId, call } = await atList(['a', 'b']);
  await call();
  expect(await stepOf(runId)).toMatchObject({ items: { list: ['a', 'b'], results: { states: ['a done'] } } });
  await world.transact((tx) => cancelRun(tx, { runId, reason: 'cancelled' }));
  expect(await stepOf(runId)).toMatchObject({ items: null });
  expect(await call()).toEqual({});
  expect(askedFor()).toEqual(['a']);
});

test('the request for an item waits, and is made once, where no connection is free', async () => {
  const callEgress = createEgress({
    allow: parseEgressAllow('127.0.0.1'),
    extraCa: testCa().certPem,
    connectionsPerOrigin: 1,
  });
  onTestFinished(() => callEgress.close());
  const callOver = callThirdParty({ ...world, baseUrl: '', apiUrl: '', callEgress });
  const callOf = (runId: string) => callOver({ runId: showId('run', runId), resumes: 0 }, 1);
  answerBy({});
  const [list, other] = [await atList(['a', 'b']), await atList(['slow'])];
  await list.call();
  shop.respondWith({ type: 'respond', body: '{}', delayMs: 500 });
  const slow = callOf(other.runId);
  await shop.waitFor(2);
  await expect(callOf(list.runId)).rejects.toSatisfy(isBusy);
  expect(await requestsOf(list.runId)).toMatchObject([{ itemIndex: 0, port: 'success' }]);
  await slow;
  await list.callThrough();
  expect(askedFor()).toEqual(['a', 'slow', 'b']);
});

test('a run knows its own requests to Parley by their keys, also those of items', async () => {
  const { runId } = await atList(['a']);
  const { accountId, db } = world;
  const idempotencyKey = `${showId('run', runId)}:each:1:0`;
  expect(await findCauseOfRequest(db, { accountId, idempotencyKey })).toMatchObject({ originRunId: runId });
});
