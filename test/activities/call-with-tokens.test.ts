import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createCredential } from '../../src/shared/credentials/manage.ts';
import { showId } from '../../src/shared/ids.ts';
import { startFlowWorld, type FlowWorld } from '../helpers/flow-world.ts';
import { aFlow } from '../helpers/live-flows.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { ageCalls } from '../helpers/states/calls.ts';
import { ageTokens } from '../helpers/states/tokens.ts';
import { startTokenServer, type TokenServer } from '../helpers/token-server.ts';
import { untold } from '../helpers/untold.ts';

let world: FlowWorld;
let server: TokenServer;
beforeAll(async () => {
  world = await startFlowWorld();
});
afterAll(() => world.stop());
beforeEach(async () => {
  server = await startTokenServer();
  onTestFinished(() => server.close());
});

let flows = 0;
/** A run that is at a request with a credential whose tokens the server gives. */
const atCall = async (fields: Readonly<Record<string, unknown>> = {}) => {
  flows += 1;
  const name = `shop${flows}`;
  await createCredential({ ...untold(world.db), secrets: world.secrets }, world.accountId, {
    name,
    type: 'oauth2',
    hosts: ['127.0.0.1'],
    token_url: server.url('/token'),
    grant_type: 'refresh_token',
    client_id: 'parley',
    client_secret: 'client-secret',
    auth_method: 'basic',
    refresh_token: 'refresh-secret-0',
  });
  const { contactId } = await world.says(`sender-${flows}`, 'hello');
  const block = { id: 'stock', type: 'external_request', method: 'POST', url: server.url('/stock'), credential: name };
  const failed = { id: 'failed', type: 'add_tag', tag: 'failed' };
  const flowId = await aFlow(world.db, world.accountId, {
    blocks: [{ ...block, next: { success: null, error: 'failed', timeout: null }, ...fields }, failed],
  });
  const runId = await world.enrol(contactId, flowId);
  expect(await world.advance(runId)).toMatchObject({ type: 'call', step: 1 });
  return { runId, call: () => world.activities.callThirdParty({ runId: showId('run', runId), resumes: 0 }, 1) };
};

const requestsOf = (runId: string) => world.db<Record<string, unknown>[]>`
  select try, state, status_code, reason, port from requests where run_id = ${runId} order by id`;

const runOf = async (runId: string) => {
  const [run] = await world.db<{ reason: string | null; waiting: string | null }[]>`
    select reason, waiting from runs where id = ${runId}`;
  return run;
};

test('a 401 is followed at once by an attempt with a new token, which is none of the attempts of the block', async () => {
  const { runId, call } = await atCall({ attempts: 1 });
  server.onExchange = () => {
    server.onExchange = undefined;
    return { type: 'respond', body: '{"access_token": "that-the-service-does-not-know", "expires_in": 3600}' };
  };
  expect(await call()).toMatchObject({ status: 401, attempt: 1, retryInMs: 0 });
  expect(await call()).toMatchObject({ status: 200, port: 'success' });
  expect(await requestsOf(runId)).toMatchObject([
    { try: 1, state: 'answered', statusCode: 401, port: null },
    { try: 2, state: 'answered', statusCode: 200, port: 'success' },
  ]);
  expect(server.exchanges).toHaveLength(2);
});

test('a second 401 takes the port error', async () => {
  const { runId, call } = await atCall({ attempts: 3 });
  server.onExchange = () => ({ type: 'respond', body: '{"access_token": "not-known"}' });
  await call();
  expect(await call()).toMatchObject({ status: 401, attempt: 2, port: 'error' });
  expect(await requestsOf(runId)).toMatchObject([{ port: null }, { port: 'error' }]);
});

test('the first 401 of each item of a list is followed by an attempt with a new token', async () => {
  const api = await startReceiver({ respond: [401, 200, 503, 401, 200] });
  onTestFinished(() => api.close());
  const { runId, call } = await atCall({ url: api.url('/stock'), attempts: 2, for_each: { items: '["a", "b"]' } });
  await call();
  expect(await call()).toMatchObject({ status: 200, port: 'success', item: 0 });
  expect(await call()).toMatchObject({ status: 503, item: 1, retryInMs: 1_000 });
  await ageCalls(world.db, runId, { seconds: 1 });
  await ageTokens(world.db, { seconds: 300 });
  expect(await call()).toMatchObject({ status: 401, item: 1, retryInMs: 0 });
  expect(await call()).toMatchObject({ status: 200, port: 'success', item: 1 });
  expect(new Set(api.requests.map(({ headers }) => headers.authorization)).size).toBe(3);
});

test('the time of a renewal is not that of the request, whose record begins after it', async () => {
  const { runId, call } = await atCall({ timeout_ms: 1_000 });
  const recorded = Promise.withResolvers<number>();
  server.onExchange = async () => {
    server.onExchange = undefined;
    recorded.resolve((await requestsOf(runId)).length);
    return { type: 'respond', delayMs: 1_500, body: '{"access_token": "not-known"}' };
  };
  expect(await call()).toMatchObject({ status: 401, retryInMs: 0 });
  expect(await recorded.promise).toBe(0);
});

test('a token endpoint that gives none costs an attempt, and while it is left alone the run waits', async () => {
  const { runId, call } = await atCall({ attempts: 2 });
  server.onExchange = () => 503;
  expect(await call()).toMatchObject({ reason: 'token', attempt: 1, retryInMs: 1_000 });
  await ageCalls(world.db, runId, { seconds: 1 });
  expect(await call()).toMatchObject({ reason: 'token_wait' });
  expect(await runOf(runId)).toEqual({ reason: 'token_wait', waiting: 'call' });
  await ageCalls(world.db, runId, { seconds: 5 });
  await ageTokens(world.db, { seconds: 2 });
  expect(await call()).toMatchObject({ reason: 'token', attempt: 2, port: 'error' });
  expect(await requestsOf(runId)).toMatchObject([
    { try: 1, state: 'failed', reason: 'token', port: null },
    { try: 2, state: 'failed', reason: 'token', port: 'error' },
  ]);
  expect(server.requests.filter(({ path }) => path === '/stock')).toEqual([]);
});

test('a refused refresh takes the port error at once', async () => {
  server.refreshToken = 'another';
  const { runId, call } = await atCall({ attempts: 3 });
  expect(await call()).toMatchObject({ reason: 'credential', attempt: 1, port: 'error' });
  expect(await requestsOf(runId)).toMatchObject([{ state: 'failed', reason: 'credential', port: 'error' }]);
});
