import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { writeFields } from '../../src/shared/contacts/write-fields.ts';
import { createCredential } from '../../src/shared/credentials/manage.ts';
import { deleteCredential } from '../../src/shared/credentials/queries.ts';
import { createField } from '../../src/shared/custom-fields/manage.ts';
import { readInstallation } from '../../src/service/installation-numbers.ts';
import { callThirdParty } from '../../src/activities/call-third-party.ts';
import { showId } from '../../src/shared/ids.ts';
import type { EventTransaction } from '../../src/shared/facts/tell.ts';
import { isBusy } from '../../src/shared/platform/bulkhead/busy.ts';
import { parseEgressAllow } from '../../src/shared/platform/egress/addresses.ts';
import { createEgress, type Egress } from '../../src/shared/platform/egress/client.ts';
import { beginAttempt } from '../../src/shared/runs/requests/begin-attempt.ts';
import { cancelRun } from '../../src/shared/runs/life/cancel.ts';
import { retryRun } from '../../src/shared/runs/life/retry.ts';
import { createVersions } from '../../src/shared/runs/engine/versions.ts';
import type { RunFlow } from '../../src/shared/runs/types.ts';
import { startFlowWorld, type FlowWorld } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startReceiver, type Receiver, type Script } from '../helpers/receiver.ts';
import { ageCalls, insertPastRequests } from '../helpers/states/calls.ts';
import { ageBreakers } from '../helpers/states/origins.ts';
import { loseWorkflow } from '../helpers/states/runs.ts';
import { testCa } from '../helpers/tls.ts';
import { untold } from '../helpers/untold.ts';
import { noLinks } from '../helpers/no-links.ts';

let world: FlowWorld;
let shop: Receiver;
beforeAll(async () => {
  world = await startFlowWorld();
  for (const [key, type] of [
    ['left', 'number'],
    ['note', 'text'],
  ] as const)
    await createField(untold(world.db), world.accountId, { key, name: key, type });
});
afterAll(() => world.stop());
beforeEach(async () => {
  shop = await startReceiver();
  onTestFinished(() => shop.close());
});

const stock = { path: '$.left', field: 'left' };
const good: Script = { type: 'respond', body: '{"left": "3", "note": "fine"}' };

let senders = 0;
/** A run that is at its call. */
const atCall = async (fields: Readonly<Record<string, unknown>> = {}) => {
  senders += 1;
  const { contactId } = await world.says(`sender-${senders}`, 'hello');
  const block = { id: 'stock', type: 'external_request', method: 'GET', url: shop.url('/stock'), ...fields };
  const failed = { id: 'failed', type: 'set_field', field: 'note', value: 'failed' };
  const late = { id: 'late', type: 'set_field', field: 'note', value: 'late' };
  const flowId = await aFlow(world.db, world.accountId, {
    blocks: [
      { next: { success: null, error: 'failed', timeout: 'late' }, ...block },
      { ...failed, next: { default: null } },
      late,
    ],
  });
  const runId = await world.enrol(contactId, flowId);
  expect(await world.advance(runId)).toMatchObject({ type: 'call', step: 1, blockId: 'stock' });
  const call = (more: Partial<RunFlow> = {}) =>
    world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0, ...more }, 1);
  const fieldsNow = async () => {
    const [contact] = await world.db<{ customFields: Record<string, unknown> }[]>`
      select custom_fields from contacts where id = ${contactId}`;
    return contact?.customFields;
  };
  /** The tries that follow one another, as the workflow makes them. */
  const callThrough = async () => {
    const waits: number[] = [];
    for (let { retryInMs } = await call(); retryInMs !== undefined; { retryInMs } = await call()) {
      waits.push(retryInMs);
      await ageCalls(world.db, runId, { seconds: retryInMs / 1_000 });
    }
    return waits;
  };
  return { runId, contactId, call, callThrough, fields: fieldsNow };
};

/** The contact changes, and with it what its templates would become. */
const writeNote = (contactId: string) =>
  writeFields(world.db, { accountId: world.accountId, contactId, custom: { note: 'new' }, profile: {} });

const requestsOf = (runId: string) => world.db<Record<string, unknown>[]>`
  select try, state, status_code, reason, detail, port, fields, method, url, idempotency_key, rendered, request_headers,
    convert_from(request_body, 'UTF8') as request_body, convert_from(response_body, 'UTF8') as response_body
  from requests where run_id = ${runId} and block_id <> 'past' order by id`;

const stepOf = async (runId: string) => {
  const [step] = await world.db<{ status: string; port: string | null; reason: string | null }[]>`
    select status, port, reason from run_steps where run_id = ${runId} and number = 1`;
  return step;
};

/** A counter of the world's process, by its one label. */
const counted = async (name: string): Promise<Record<string, number>> => {
  const { values = [] } = (await world.metrics.registry.getSingleMetric(name)?.get()) ?? {};
  return Object.fromEntries(values.map(({ labels, value }) => [Object.values(labels).join(), value]));
};

test('writes fields, port and log together, and the run goes on', async () => {
  shop.respondWith(good);
  const { runId, call, fields } = await atCall({
    method: 'POST',
    body: '{"of": "{{run.id}}"}',
    mapping: [stock, { path: '$.note', field: 'note' }],
  });
  expect(await call()).not.toHaveProperty('retryInMs');
  expect(await fields()).toEqual({ left: 3, note: 'fine' });
  expect(await stepOf(runId)).toEqual({ status: 'done', port: 'success', reason: null });
  const key = `${showId('run', runId)}:stock:1`;
  expect(await requestsOf(runId)).toMatchObject([
    {
      try: 1,
      state: 'answered',
      statusCode: 200,
      reason: null,
      port: 'success',
      method: 'POST',
      url: shop.url('/stock'),
      idempotencyKey: key,
      rendered: null,
      requestBody: `{"of": "${showId('run', runId)}"}`,
      responseBody: '{"left": "3", "note": "fine"}',
      fields: [{ field: 'left', type: 'number', outcome: 'set', value: 3 }, { field: 'note' }],
    },
  ]);
  expect(shop.requests[0]?.headers['idempotency-key']).toBe(key);
  expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
});

test('a call that has ended is not made again', async () => {
  shop.respondWith(good);
  const { call, runId } = await atCall();
  await call();
  expect(await call()).not.toHaveProperty('retryInMs');
  await world.advance(runId);
  expect(await call()).not.toHaveProperty('retryInMs');
  expect(shop.requests).toHaveLength(1);
});

test('all tries have the same bytes and the same Idempotency-Key, though the contact changed, and each has its row', async () => {
  shop.respondWith([503, 500, good]);
  const { runId, contactId, callThrough } = await atCall({ method: 'PUT', body: '{"note": {{note}}}' });
  const { retryInMs } = await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 1);
  expect(retryInMs).toBe(1_000);
  expect(await world.run(runId)).toMatchObject({ waiting: 'call', reason: 'next_try' });
  await writeNote(contactId);
  await ageCalls(world.db, runId, { seconds: 1 });
  expect(await callThrough()).toEqual([2_000]);
  expect(new Set(shop.requests.map(({ rawBody }) => rawBody.toString()))).toEqual(new Set(['{"note": null}']));
  expect(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect((await requestsOf(runId)).map((row) => [row['try'], row['statusCode'], row['port'], row['rendered']])).toEqual(
    [
      [1, 503, null, null],
      [2, 500, null, null],
      [3, 200, 'success', null],
    ],
  );
});

test('a retry policy decides which responses are retried, how often, and after how long', async () => {
  shop.respondWith({ type: 'respond', body: '{"ok": false}' });
  const retry = { first_wait: 'PT1M', longest_wait: 'PT2M', statuses: [200] };
  const { runId, callThrough } = await atCall({ ...saysOk, attempts: 5, retry });
  expect(await callThrough()).toEqual([60_000, 120_000, 120_000, 120_000]);
  expect(await stepOf(runId)).toEqual({ status: 'done', port: 'error', reason: 'success_when_1' });
  expect(shop.requests).toHaveLength(5);
  expect(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
});

test('a try that comes too early waits for its time', async () => {
  shop.respondWith({ type: 'respond', status: 429, headers: { 'retry-after': '120' } });
  const { call } = await atCall();
  expect(await call()).toEqual({ status: 429, attempt: 1, retryInMs: 120_000 });
  const { retryInMs = 0 } = await call();
  expect(retryInMs).toBeGreaterThan(110_000);
  expect(shop.requests).toHaveLength(1);
});

/** A success is what says so. */
const saysOk = { success_when: { rules: [{ path: '$.ok', op: 'is', value: true }] } };

describe('the port', () => {
  test.for([
    [
      'error of a 200 that fails a rule of success_when, with its own mapping',
      { type: 'respond', body: '{"ok": false, "left": 7}' },
      { ...saysOk, error_mapping: [stock] },
      'error',
      'success_when_1',
    ],
    [
      'error, after the last try, of a 503 that fails a rule of success_when',
      { type: 'respond', status: 503, body: '{"ok": false}' },
      saysOk,
      'error',
      'status_503',
    ],
    [
      'error of a body that cannot be decoded, where success_when reads it',
      { type: 'respond', headers: { 'content-encoding': 'zstd' }, body: '{"ok": true}' },
      saysOk,
      'error',
      'encoding',
    ],
    ['error, after the last try, of a 500', 500, {}, 'error', 'status_500'],
    [
      'error of a 404, with its own mapping',
      { type: 'respond', status: 404, body: '{"left": 7}' },
      { error_mapping: [stock] },
      'error',
      'status_404',
    ],
    [
      'error of a mapping that fails, and no other field is written',
      { type: 'respond', body: '{"note": "fine", "left": "many"}' },
      { mapping: [{ path: '$.note', field: 'note' }, stock] },
      'error',
      'mapping',
    ],
    [
      'error of HTML, where something must be there',
      { type: 'respond', headers: { 'content-type': 'text/html' }, body: '<p>' },
      { mapping: [{ ...stock, on_missing: 'error' }] },
      'error',
      'mapping',
    ],
    [
      'error of HTML with another status, of which its own mapping writes what there is',
      { type: 'respond', status: 404, headers: { 'content-type': 'text/html', 'x-left': '7' }, body: '<p>' },
      {
        error_mapping: [
          { path: '$headers.x-left', field: 'left' },
          { ...stock, on_missing: 'error' },
        ],
      },
      'error',
      'status_404',
    ],
    ['error of a POST that was reset', { type: 'reset' }, { method: 'POST' }, 'error', 'reset'],
    ['error of a body without end', { type: 'endless' }, {}, 'error', 'too_large'],
    ['timeout of silence', { type: 'hang' }, { attempts: 1, timeout_ms: 1_000 }, 'timeout', 'timeout'],
    ['timeout of a drip', { type: 'drip', everyMs: 20 }, { attempts: 1, timeout_ms: 1_000 }, 'timeout', 'timeout'],
  ] as const)('%s', async ([, answer, block, port, reason]) => {
    shop.respondWith(answer);
    const { runId, callThrough, fields } = await atCall({ mapping: [stock], ...block });
    await callThrough();
    expect(await stepOf(runId)).toEqual({ status: 'done', port, reason });
    expect((await requestsOf(runId)).at(-1)).toMatchObject({ port });
    const note = port === 'timeout' ? 'late' : 'failed';
    expect(await fields()).toEqual({ ...('error_mapping' in block && { left: 7 }), note });
  });

  test.for([404, 503])('success of a %i by success_when, which is not retried and is mapped', async (status) => {
    shop.respondWith({ type: 'respond', status, body: '{"ok": true, "left": 3}' });
    const { runId, callThrough, fields } = await atCall({ ...saysOk, mapping: [stock] });
    expect(await callThrough()).toEqual([]);
    expect(await stepOf(runId)).toEqual({ status: 'done', port: 'success', reason: null });
    expect(await requestsOf(runId)).toMatchObject([
      { statusCode: status, reason: null, detail: null, port: 'success' },
    ]);
    expect(await fields()).toEqual({ left: 3 });
  });

  test('log and workflow name the rule of success_when that failed, and nothing of the response', async () => {
    shop.respondWith({ type: 'respond', body: '{"ok": "private words"}' });
    const { runId, call } = await atCall(saysOk);
    expect(await call()).toEqual({ status: 200, reason: 'success_when_1', port: 'error', attempt: 1 });
    const detail = 'success_when: rule 1 ($.ok is true) does not hold';
    expect(await requestsOf(runId)).toMatchObject([
      { state: 'answered', statusCode: 200, reason: 'success_when_1', detail, port: 'error' },
    ]);
  });

  test.for([
    ['nothing', { type: 'respond', status: 204 }],
    ['HTML', { type: 'respond', headers: { 'content-type': 'text/html' }, body: '<p>' }],
    ['JSON that is cut', { type: 'respond', body: '{"left": ' }],
  ] as const)('success of %s, where the mapping needs nothing', async ([, answer]) => {
    shop.respondWith(answer);
    const { runId, callThrough, fields } = await atCall({ mapping: [stock] });
    await callThrough();
    expect(await stepOf(runId)).toEqual({ status: 'done', port: 'success', reason: null });
    expect(await fields()).toEqual({});
  });

  test('error of what cannot be rendered, with its place, and nobody is asked', async () => {
    const { runId, call } = await atCall({ method: 'POST', body: '{"left": 1{{left}}}' });
    expect(await call()).not.toHaveProperty('retryInMs');
    expect(await stepOf(runId)).toEqual({ status: 'done', port: 'error', reason: 'invalid_request' });
    expect(await requestsOf(runId)).toMatchObject([
      {
        state: 'failed',
        reason: 'invalid_request',
        port: 'error',
        detail: expect.stringContaining('body at character'),
      },
    ]);
    expect(shop.requests).toEqual([]);
  });
});

test('a secret stands in no row, and a rotated one counts from the next try on', async () => {
  const { db, secrets, accountId } = world;
  const { id } = await createCredential({ ...untold(db), secrets }, accountId, {
    name: 'shop',
    type: 'header',
    hosts: ['127.0.0.1'],
    header: 'X-Own',
    value: 'sk_live_verysecret',
  });
  shop.respondWith((request) => ({ type: 'respond', status: 503, body: JSON.stringify(request.headers) }));
  const { runId, call, callThrough } = await atCall({
    credential: 'shop',
    headers: { 'X-Key': '{{credential.shop}}' },
  });
  await call();
  const rows = await db<{ row: string }[]>`select q::text as row from requests q where run_id = ${runId}`;
  const bytes = await db<
    { rendered: Buffer; responseBody: Buffer }[]
  >`select rendered, response_body from requests where run_id = ${runId}`;
  const kept = JSON.stringify([
    rows,
    bytes.map(({ rendered, responseBody }) => [rendered.toString(), responseBody.toString()]),
  ]);
  expect(kept).not.toContain('verysecret');
  await deleteCredential(db, accountId, id);
  await ageCalls(db, runId, { seconds: 1 });
  await callThrough();
  expect(await stepOf(runId)).toMatchObject({ port: 'error', reason: 'credential' });
});

describe('a process that dies between sending and recording', () => {
  /** A try that is written down, and of which nobody hears again. */
  const lost = async (fields: Readonly<Record<string, unknown>>) => {
    const run = await atCall(fields);
    const { transact, secrets } = world;
    const addresses = { baseUrl: 'https://app.example', apiUrl: 'https://api.example' };
    const deps = { transact, secrets, readVersion: createVersions(), ...addresses, lastingLinkTo: noLinks };
    expect(await beginAttempt(deps, { runId: run.runId, resumes: 0 }, { step: 1 })).toMatchObject({
      type: 'now',
      number: 1,
    });
    return run;
  };

  test('is waited for as long as it may be at it', async () => {
    const { call } = await lost({ timeout_ms: 10_000 });
    const { retryInMs = 0 } = await call();
    expect(retryInMs).toBeGreaterThan(24_000);
    expect(retryInMs).toBeLessThanOrEqual(25_000);
    expect(shop.requests).toEqual([]);
  });

  test('has a GET made again, with the same key', async () => {
    shop.respondWith(good);
    const { runId, call, fields } = await lost({ mapping: [stock] });
    await ageCalls(world.db, runId, { seconds: 26 });
    expect(await call()).not.toHaveProperty('retryInMs');
    expect(await requestsOf(runId)).toMatchObject([
      { try: 1, state: 'unknown', reason: 'outcome_unknown', port: null },
      { try: 2, state: 'answered', port: 'success' },
    ]);
    expect(await fields()).toEqual({ left: 3 });
  });

  test('has a POST end by error, and nobody is asked twice', async () => {
    const { runId, call } = await lost({ method: 'POST' });
    await ageCalls(world.db, runId, { seconds: 26 });
    expect(await call()).not.toHaveProperty('retryInMs');
    expect(await stepOf(runId)).toEqual({ status: 'done', port: 'error', reason: 'outcome_unknown' });
    expect(await requestsOf(runId)).toMatchObject([{ state: 'unknown', port: 'error' }]);
    expect(shop.requests).toEqual([]);
  });

  test('leaves a run that failed by it as it is: nobody knows whether a retry would ask twice', async () => {
    const { runId, call } = await lost({ method: 'POST', next: { success: null, timeout: null } });
    await ageCalls(world.db, runId, { seconds: 26 });
    await call();
    expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'failed', reason: 'outcome_unknown' });
    const retry = world.transact((tx) => retryRun(tx, { accountId: world.accountId, runId }));
    await expect(retry).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('carried out') });
    expect(await world.run(runId)).toMatchObject({ status: 'failed', step: 1 });
  });
});

test('a try that was given up and answers late stands in the log alone: the one after it takes the port', async () => {
  const { runId, call, fields } = await atCall({ mapping: [stock] });
  const released = Promise.withResolvers<void>();
  onTestFinished(() => released.resolve());
  let second: Promise<unknown> = Promise.resolve();
  shop.respondWith(async () => {
    if (shop.requests.length > 1) {
      await released.promise;
      return { type: 'respond', body: '{"left": 2}' };
    }
    await ageCalls(world.db, runId, { seconds: 26 });
    second = call();
    await shop.waitFor(2);
    return { type: 'respond', body: '{"left": 1}' };
  });
  await call();
  expect(await stepOf(runId)).toMatchObject({ status: 'open', port: null });
  expect(await fields()).not.toHaveProperty('left');
  released.resolve();
  await second;
  expect(await stepOf(runId)).toMatchObject({ status: 'done', port: 'success' });
  expect(await fields()).toEqual({ left: 2 });
  expect(await requestsOf(runId)).toMatchObject([
    { state: 'answered', port: null },
    { state: 'answered', port: 'success' },
  ]);
});

test('a run that is retried calls anew, with an Idempotency-Key of its own', async () => {
  shop.respondWith([404, good]);
  const { runId, call } = await atCall({ next: { success: null, timeout: null } });
  await call();
  expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'failed', reason: 'status_404' });
  await world.transact((tx) => retryRun(tx, { accountId: world.accountId, runId }));
  expect(await world.advance(runId)).toMatchObject({ type: 'call', step: 2 });
  await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 1 }, 2);
  const id = showId('run', runId);
  expect(shop.requests.map(({ headers }) => headers['idempotency-key'])).toEqual([`${id}:stock:1`, `${id}:stock:2`]);
});

test('a call is a wait: the blocks before it do not count for those after it', async () => {
  const tags = (name: string) =>
    Array.from({ length: 60 }, (_, index) => ({ id: `${name}${index}`, type: 'add_tag', tag: 'seen' }));
  const call = { id: 'stock', type: 'external_request', method: 'GET', url: shop.url('/stock') };
  const { runId } = await world.enrolled([...tags('a'), call, ...tags('b')]);
  expect(await world.advance(runId)).toMatchObject({ type: 'call', step: 61 });
  await world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 61);
  expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
});

describe('a call of an earlier workflow that goes on while a later one carries the run', () => {
  /** The service answers when the run has got another workflow already. */
  const overtaken = async (fields: Readonly<Record<string, unknown>>) => {
    const run = await atCall({ mapping: [stock], body: '{"note": {{note}}}', ...fields });
    shop.respondWith(async () => {
      if (shop.requests.length > 1) return good;
      await loseWorkflow(world.db, run.runId);
      await writeNote(run.contactId);
      return good;
    });
    expect(await run.call()).toEqual({ status: 200 });
    expect(await stepOf(run.runId)).toMatchObject({ status: 'open', port: null });
    await world.activities.callThirdParty({ runId: showId('run', run.runId), resumes: 1 }, 1);
    return run;
  };

  test('has its answer in the log alone, and a POST is not made again', async () => {
    const { runId, fields } = await overtaken({ method: 'POST' });
    expect(shop.requests).toHaveLength(1);
    expect(await requestsOf(runId)).toMatchObject([{ state: 'answered', statusCode: 200, port: null }]);
    expect(await stepOf(runId)).toEqual({ status: 'done', port: 'error', reason: 'outcome_unknown' });
    expect(await fields()).toEqual({ note: 'failed' });
  });

  test('and what does no harm twice is made again, with the same key and bytes', async () => {
    const { runId, fields } = await overtaken({ method: 'PUT', attempts: 1 });
    expect(new Set(shop.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(shop.requests.map(({ rawBody }) => rawBody.toString())).toEqual(['{"note": null}', '{"note": null}']);
    expect(await stepOf(runId)).toMatchObject({ port: 'success' });
    expect(await fields()).toEqual({ left: 3, note: 'new' });
  });
});

describe('a process that stops in mid-call breaks the call off', () => {
  const stopped = async (fields: Readonly<Record<string, unknown>>) => {
    const run = await atCall({ timeout_ms: 60_000, headers: { 'X-Note': '{{note|default:"none"}}' }, ...fields });
    shop.respondWith([{ type: 'hang' }, good]);
    const process = new MockActivityEnvironment();
    const calling = process.run(world.activities.callThirdParty, { runId: showId('run', run.runId), resumes: 0 }, 1);
    await shop.waitFor(1);
    process.cancel('WORKER_SHUTDOWN');
    expect(await calling).toEqual({});
    await writeNote(run.contactId);
    expect(await run.call()).not.toHaveProperty('retryInMs');
    return run;
  };

  test.each([
    { request: 'a GET', fields: {} },
    { request: 'a PUT of one attempt', fields: { method: 'PUT', attempts: 1 } },
    { request: 'a POST that is safe to repeat', fields: { method: 'POST', safe_to_repeat: true } },
  ])('$request is made again at once, as it was', async ({ fields }) => {
    const { runId } = await stopped(fields);
    expect(shop.requests.map(({ headers }) => headers['x-note'])).toEqual(['none', 'none']);
    expect(await stepOf(runId)).toMatchObject({ port: 'success' });
  });

  test('a POST takes the port error: nobody knows what became of it', async () => {
    const { runId } = await stopped({ method: 'POST' });
    expect(shop.requests).toHaveLength(1);
    expect(await stepOf(runId)).toEqual({ status: 'done', port: 'error', reason: 'outcome_unknown' });
  });
});

test('two processes at the same call send it once', async () => {
  shop.respondWith({ type: 'respond', body: '{}', delayMs: 200 });
  const { call } = await atCall();
  const results = await Promise.all([call(), call(), call()]);
  expect(results.filter(({ retryInMs }) => retryInMs === undefined)).toHaveLength(1);
  expect(shop.requests).toHaveLength(1);
});

test('a run that is cancelled in mid-call keeps its fields, and the log has the outcome', async () => {
  shop.respondWith(async () => {
    await world.transact((tx) => cancelRun(tx, { runId, reason: 'cancelled' }));
    return { type: 'respond', body: '{"left": 3}' };
  });
  const { runId, call, fields } = await atCall({ mapping: [stock] });
  expect(await call()).not.toHaveProperty('retryInMs');
  expect(await fields()).not.toHaveProperty('left');
  expect(await requestsOf(runId)).toMatchObject([{ state: 'answered', statusCode: 200, port: null, rendered: null }]);
  expect(await world.run(runId)).toMatchObject({ status: 'cancelled' });
});

test('a response that would give the contact too many fields is written nowhere, and the run fails', async () => {
  shop.respondWith(good);
  const { runId, contactId, call, fields } = await atCall({ mapping: [stock] });
  const full = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`other_${index}`, index]));
  await writeFields(world.db, { accountId: world.accountId, contactId, custom: full, profile: {} });
  expect(await call()).not.toHaveProperty('port');
  expect(await fields()).toEqual(full);
  expect(await requestsOf(runId)).toMatchObject([{ state: 'answered', statusCode: 200, port: null, rendered: null }]);
  expect(await stepOf(runId)).toEqual({ status: 'done', port: null, reason: 'too_many_fields' });
  expect(await world.run(runId)).toMatchObject({ status: 'failed', reason: 'too_many_fields', blockId: 'stock' });
});

test('fields of a request are written though the block behind it gives the contact too many', async () => {
  shop.respondWith(good);
  const { runId, contactId, call, fields } = await atCall({ mapping: [stock], next: { success: 'failed' } });
  const full = Object.fromEntries(Array.from({ length: 99 }, (_, index) => [`other_${index}`, index]));
  await writeFields(world.db, { accountId: world.accountId, contactId, custom: full, profile: {} });
  expect(await call()).toMatchObject({ port: 'success' });
  expect(await fields()).toEqual({ ...full, left: 3 });
  expect(await requestsOf(runId)).toMatchObject([{ state: 'answered', port: 'success' }]);
  expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'failed', reason: 'too_many_fields' });
  expect(await fields()).toEqual({ ...full, left: 3 });
});

const broken = { message: 'a reaction that is broken' };

/** What an activity logs. */
const loggedLines = () => {
  const lines: Record<string, unknown>[] = [];
  return { lines, log: pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) }) };
};

test('the log says why a pass behind a request failed with the commit, and the workflow is left the pass', async () => {
  shop.respondWith(good);
  const { runId } = await atCall({ next: { success: 'failed' } });
  const { log, lines } = loggedLines();
  let transactions = 0;
  const activity = callThirdParty({
    ...world,
    log,
    callEgress: world.egress,
    baseUrl: '',
    apiUrl: '',
    transact: (work) => {
      transactions += 1;
      const isFirstFinish = transactions === 2;
      return world.transact(async (tx) => {
        const result = await work(tx);
        if (isFirstFinish) throw new Error(broken.message);
        return result;
      });
    },
  });
  const run = { runId: showId('run', runId), resumes: 0, nextInResult: true } as const;
  expect(await activity(run, 1)).toEqual({ status: 200, port: 'success' });
  expect(transactions).toBe(3);
  expect(lines).toMatchObject([{ msg: 'request.made' }, { msg: 'run.pass_failed', run_id: run.runId, err: broken }]);
  expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
});

test('the outcome of a request is written alone where a fault of ours stops the blocks behind it', async () => {
  shop.respondWith(good);
  const call = { id: 'stock', type: 'external_request', method: 'POST', url: shop.url('/stock'), mapping: [stock] };
  const { runId, contactId } = await world.enrolled([call, { id: 'tag', type: 'add_tag', tag: 'told' }]);
  expect(await world.advance(runId)).toMatchObject({ type: 'call', step: 1 });
  const brokenIn = (tx: EventTransaction): EventTransaction => ({
    ...tx,
    tell: async (event) => {
      if (event.name === 'tag_applied') throw new Error(broken.message);
      await tx.tell(event);
    },
    savepoint: (work) => tx.savepoint((inner) => work(brokenIn(inner))),
  });
  let transactions = 0;
  const { log, lines } = loggedLines();
  const activity = callThirdParty({
    ...world,
    log,
    callEgress: world.egress,
    baseUrl: '',
    apiUrl: '',
    transact: (work) => {
      transactions += 1;
      return world.transact((tx) => work(brokenIn(tx)));
    },
  });
  const run = { runId: showId('run', runId), resumes: 0, nextInResult: true } as const;
  expect(await activity(run, 1)).toEqual({ status: 200, port: 'success' });
  expect(transactions).toBe(2);
  expect(lines).toMatchObject([{ msg: 'request.made' }, { msg: 'run.pass_failed', run_id: run.runId, err: broken }]);
  expect(await requestsOf(runId)).toMatchObject([{ state: 'answered', port: 'success' }]);
  expect(await stepOf(runId)).toMatchObject({ status: 'done', port: 'success' });
  expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
  expect(shop.requests).toHaveLength(1);
  const [contact] = await world.db`select custom_fields from contacts where id = ${contactId}`;
  expect(contact).toEqual({ customFields: { left: 3 } });
});

test('a workflow that reads what is next in the result of an attempt has it there, and no other one', async () => {
  shop.respondWith(good);
  const ask = { next: { success: 'failed' } };
  const over = { type: 'over', status: 'completed' };
  expect(await (await atCall(ask)).call({ nextInResult: true })).toEqual({ status: 200, port: 'success', next: over });
  const { call, runId } = await atCall(ask);
  expect(await call()).toEqual({ status: 200, port: 'success' });
  expect(await world.advance(runId)).toEqual(over);
});

test('an attempt without a good answer fails visibly for a workflow that reads its result from that', async () => {
  shop.respondWith(404);
  const { call } = await atCall();
  await expect(call({ failsVisibly: true })).rejects.toMatchObject({
    type: 'AttemptFailed',
    message: 'attempt 1: HTTP 404',
    nonRetryable: true,
    details: [{ status: 404, attempt: 1 }],
  });
  const other = await atCall();
  expect(await other.call()).toMatchObject({ status: 404, attempt: 1 });
  shop.respondWith(good);
  expect(await (await atCall()).call({ failsVisibly: true })).toEqual({ status: 200, port: 'success' });
});

test('a run that is cancelled between two tries keeps nothing that could be sent again', async () => {
  shop.respondWith(503);
  const { runId, call } = await atCall({ body: '{"note": "{{note|default:"private"}}"}', method: 'PUT' });
  expect(await call()).toHaveProperty('retryInMs');
  expect(await requestsOf(runId)).toMatchObject([{ state: 'answered', rendered: expect.anything() }]);
  await world.transact((tx) => cancelRun(tx, { runId, reason: 'cancelled' }));
  expect(await requestsOf(runId)).toMatchObject([{ state: 'answered', rendered: null }]);
  expect(await call()).toEqual({});
  expect(shop.requests).toHaveLength(1);
});

test('an origin that fails again and again has runs wait instead of failing, until it is well', async () => {
  shop.respondWith(500);
  for (let run = 0; run < 3; run += 1) await (await atCall()).callThrough();
  await (await atCall()).call();
  shop.respondWith(good);
  const { runId, call } = await atCall();
  const asked = shop.requests.length;
  const { retryInMs = 0, reason } = await call();
  expect(retryInMs).toBeGreaterThan(20_000);
  expect(reason).toBe('origin_down');
  // Also to who looks again meanwhile.
  expect(await call()).toMatchObject({ reason: 'origin_down' });
  expect(shop.requests).toHaveLength(asked);
  expect(await world.run(runId)).toMatchObject({ status: 'waiting', waiting: 'call', reason: 'origin_down' });
  expect(await counted('parley_origin_changes_total')).toEqual({ opened: 1 });
  expect(await readInstallation(world.db)).toMatchObject({ originsOpen: 1 });
  await ageCalls(world.db, runId, { seconds: 61 });
  await ageBreakers(world.db, { seconds: 61 });
  expect(await call()).not.toHaveProperty('retryInMs');
  expect(await world.advance(runId)).toEqual({ type: 'over', status: 'completed' });
  expect(await world.run(runId)).toMatchObject({ reason: null });
  expect(await counted('parley_origin_changes_total')).toEqual({ opened: 1, closed: 1 });
  expect(await readInstallation(world.db)).toMatchObject({ originsOpen: 0 });
});

test('beyond fifty requests of an hour the run waits until the hour frees, at five hundred it fails', async () => {
  const { accountId, db } = world;
  const other = await atCall();
  await insertPastRequests(db, { accountId, runId: other.runId, count: 49 });
  expect(await other.call()).toMatchObject({ status: 200 });
  const { runId, call } = await atCall();
  await insertPastRequests(db, { accountId, runId, count: 50 });
  const { retryInMs = 0, reason } = await call();
  expect(retryInMs).toBeGreaterThan(3_590_000);
  expect(reason).toBe('call_limit');
  expect(await world.run(runId)).toMatchObject({ waiting: 'call', reason: 'call_limit' });
  await insertPastRequests(db, { accountId, runId, count: 450 });
  await ageCalls(db, runId, { seconds: 3_700 });
  const { failed = 0 } = await counted('parley_runs_ended_total');
  expect(await call()).not.toHaveProperty('retryInMs');
  expect(await world.run(runId)).toMatchObject({ status: 'failed', reason: 'call_limit' });
  expect(await world.advance(runId)).toMatchObject({ type: 'over', status: 'failed' });
  expect(await counted('parley_runs_ended_total')).toMatchObject({ failed: failed + 1 });
  expect(shop.requests).toHaveLength(1);
});

test('a database that is away after sending is asked again, and nobody else is', async () => {
  shop.respondWith(async () => {
    await world.db`alter table requests rename to requests_away`;
    setTimeout(() => void world.db`alter table requests_away rename to requests`.execute(), 1_200);
    return { type: 'respond', body: '{"left": 3}' };
  });
  const { call, fields } = await atCall({ mapping: [stock] });
  expect(await call()).not.toHaveProperty('retryInMs');
  expect(await fields()).toEqual({ left: 3 });
  expect(shop.requests).toHaveLength(1);
});

describe('a process that cannot send', () => {
  const addresses = { baseUrl: 'https://app.example', apiUrl: 'https://api.example' };
  const log = pino({ level: 'silent' });
  const callsOver = (callEgress: Egress) => {
    const call = callThirdParty({ ...world, ...addresses, log, callEgress });
    return (runId: string) => call({ runId: showId('run', runId), resumes: 0 }, 1);
  };
  const anEgress = () =>
    createEgress({ allow: parseEgressAllow('127.0.0.1'), extraCa: testCa().certPem, connectionsPerOrigin: 1 });

  test('because too much is under way there takes the try back, and Temporal makes it later', async () => {
    const egress = anEgress();
    onTestFinished(() => egress.close());
    const call = callsOver(egress);
    shop.respondWith([{ type: 'respond', body: '{}', delayMs: 500 }, good]);
    const [first, second] = [await atCall(), await atCall({ method: 'POST' })];
    const slow = call(first.runId);
    await shop.waitFor(1);
    await expect(call(second.runId)).rejects.toSatisfy(isBusy);
    expect(await requestsOf(second.runId)).toEqual([]);
    await slow;
    expect(await call(second.runId)).not.toHaveProperty('retryInMs');
    expect(await requestsOf(second.runId)).toMatchObject([{ try: 1, state: 'answered', port: 'success' }]);
  });

  test('the second try of a POST because too much is under way there makes it later', async () => {
    const egress = anEgress();
    onTestFinished(() => egress.close());
    const call = callsOver(egress);
    const second = await atCall({ method: 'POST', body: '{"note": {{note}}}' });
    shop.respondWith(503);
    await call(second.runId);
    await ageCalls(world.db, second.runId, { seconds: 1 });
    shop.respondWith([{ type: 'respond', body: '{}', delayMs: 500 }, good]);
    const slow = call((await atCall()).runId);
    await shop.waitFor(2);
    await expect(call(second.runId)).rejects.toSatisfy(isBusy);
    await slow;
    await writeNote(second.contactId);
    await call(second.runId);
    expect(await requestsOf(second.runId)).toMatchObject([{ statusCode: 503 }, { statusCode: 200, port: 'success' }]);
    const bodies = shop.requests.filter(({ method }) => method === 'POST').map(({ rawBody }) => rawBody.toString());
    expect(bodies).toEqual(['{"note": null}', '{"note": null}']);
  });

  test('because it is broken off leaves a row that says that nobody knows, and a GET is made again', async () => {
    const egress = anEgress();
    await egress.close();
    const { runId, call } = await atCall();
    await expect(callsOver(egress)(runId)).rejects.toThrow('egress is closed');
    expect(await requestsOf(runId)).toMatchObject([{ state: 'unknown', reason: 'outcome_unknown', port: null }]);
    shop.respondWith(good);
    expect(await call()).not.toHaveProperty('retryInMs');
    expect(await stepOf(runId)).toMatchObject({ port: 'success' });
  });
});
