import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { connectReads, createReads } from '../../src/api/reads.ts';
import { withReactions } from '../../src/shared/facts/tell.ts';
import { connectDatabase, type Database } from '../../src/shared/platform/db/connect.ts';
import { createTransact } from '../../src/shared/platform/dispatch/transact.ts';
import { createSecrets } from '../../src/shared/platform/secrets/seal.ts';
import { reactions } from '../../src/shared/reactions.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/database.ts';
import { startApi } from '../helpers/api.ts';
import { aFlowDefinition, flowCalls } from '../helpers/flows.ts';

let database: TestDatabase;
let pool: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = connectReads(database.target);
});
afterAll(async () => {
  await pool.end({ timeout: 1 });
  await database.drop();
});

/** A read that goes on until it is told to end. */
const aLongRead = () => {
  const end = Promise.withResolvers<string>();
  return { read: () => end.promise, end: () => end.resolve('read') };
};

test('a list has no parallel workers: it takes one core at most', async () => {
  const [setting] = await pool`show max_parallel_workers_per_gather`;
  expect(setting).toEqual({ maxParallelWorkersPerGather: '0' });
});

test('one request reads on one connection, so that those of an account have as many as they have places', async () => {
  const { db, target } = database;
  const pool = connectDatabase(target, { max: 10, settings: { application_name: 'reads' } });
  const transact = withReactions(
    reactions,
    createTransact(db, () => {}),
  );
  const secrets = createSecrets(randomBytes(32));
  const api = await startApi({ world: { db, target, transact, secrets, reads: (_, read) => read(pool) } });
  onTestFinished(() => pool.end({ timeout: 1 }));
  onTestFinished(() => api.stop());
  const account = await api.createAccount();
  const { id } = await flowCalls(api, account).createLive(aFlowDefinition());
  const inFlow = ['', '/draft', '/versions', '/export', '/stats', '/counts'].map((path) => `/flows/${id}${path}`);
  const lists = ['overview', 'statistics', 'webhooks', 'contacts', 'conversations', 'deliveries', 'events', 'triggers'];
  const asked = [...inFlow, ...lists.map((path) => `/${path}`)].map((path) => ['GET', path] as const);
  for (const [method, path] of [...asked, ['POST', `/flows/${id}/validate`] as const]) {
    const { status } = await api.request(method, `/dashboard/api${path}`, { session: account.session });
    const open =
      await db`select from pg_stat_activity where application_name = 'reads' and datname = current_database()`;
    expect([path, status, open.length]).toEqual([path, 200, Math.min(open.length, 1)]);
  }
});

test('an account that reads as much as it can leaves room for the next one, and for the one after that', async () => {
  const reads = createReads(pool, { patienceMs: 50 });
  const long = aLongRead();
  for (const account of ['greedy', 'greedy too', 'and again', 'the last']) {
    const asked = Array.from({ length: 50 }, () => reads(account, long.read));
    const refused = (await Promise.allSettled(asked.map((read) => Promise.race([read, sleep(100)])))).filter(
      ({ status }) => status === 'rejected',
    );
    expect(refused.length).toBeLessThan(50);
  }
  expect(await reads('modest', async (db) => (await db`select 1 as one`).length)).toBe(1);
  long.end();
});

test('what waits is read account by account as others end; it is refused when its patience is over', async () => {
  const reads = createReads(pool, { patienceMs: 1_000 });
  const long = aLongRead();
  const order: string[] = [];
  const first = Array.from({ length: 4 }, () => reads('one', long.read));
  const note = (account: string) => reads(account, async () => void order.push(account));
  const [waiting, third] = [Array.from({ length: 3 }, () => note('one')), note('two')];
  await third;
  expect(order).toEqual(['two']);
  long.end();
  await Promise.all([...first, ...waiting]);
  expect(order).toEqual(['two', 'one', 'one', 'one']);

  const longer = aLongRead();
  const held = Array.from({ length: 4 }, () => reads('one', longer.read));
  await expect(createReadsRefusal(reads)).resolves.toMatchObject({ code: 'rate_limited' });
  longer.end();
  await Promise.all(held);
});

const createReadsRefusal = (reads: ReturnType<typeof createReads>) =>
  reads('one', async () => 'read').catch((error: unknown) => error);

test('no more than so many of an account wait: the next one is refused at once', async () => {
  const reads = createReads(pool, { patienceMs: 60_000, waitingPerAccount: 3 });
  const long = aLongRead();
  const taken = Array.from({ length: 4 + 3 }, () => reads('one', long.read));
  await expect(reads('one', long.read)).rejects.toMatchObject({ code: 'rate_limited' });
  long.end();
  expect(await Promise.all(taken)).toHaveLength(7);
});

test('a read that takes too long is answered in time, and its place is free when its connection is', async () => {
  const reads = createReads(pool, { patienceMs: 20, deadlineMs: 50 });
  const long = aLongRead();
  const late = Array.from({ length: 4 }, () => reads('one', long.read));
  expect(await Promise.allSettled(late)).toEqual(
    late.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) })),
  );
  await expect(reads('one', async () => 'read')).rejects.toMatchObject({ code: 'rate_limited' });
  long.end();
  await vi.waitFor(async () => expect(await reads('one', async () => 'read')).toBe('read'), { timeout: 60_000 });
});

test('a list that the database is too slow for is refused with words and a time, while everything else goes on', async () => {
  const api = await startApi({ reads: { patienceMs: 100 } });
  onTestFinished(() => api.stop());
  const [slow, other] = [await api.createAccount(), await api.createAccount()];
  const held = await api.db.reserve();
  onTestFinished(() => held.release());
  await held`begin`;
  await held`lock table channels in access exclusive mode`;
  const asked = Array.from({ length: 6 }, () =>
    api.request<{ error: { code: string; message: string } }>('GET', '/v1/channels', { key: slow.apiKey }),
  );
  expect((await api.request('GET', '/v1/contacts', { key: other.apiKey })).status).toBe(200);
  expect((await api.request('POST', '/v1/contacts', { key: slow.apiKey, body: {} })).status).toBe(201);
  const answers = await Promise.all(asked);
  await held`rollback`;
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429, 503]));
  for (const { headers, body } of answers) {
    expect(headers['retry-after']).toBe('5');
    expect(body.error.message).toMatch(/too long|too many/);
  }
  expect((await api.request('GET', '/v1/channels', { key: slow.apiKey })).status).toBe(200);
});

test.for(['cancel', 'retry'])(
  'what is to be changed in bulk by /runs/%s is looked for among the reads',
  async (what) => {
    const api = await startApi({ reads: { patienceMs: 50 } });
    onTestFinished(() => api.stop());
    const account = await api.createAccount();
    const flow = await flowCalls(api, account).createLive(aFlowDefinition());
    const change = async () => {
      const body = { flow_id: flow.id };
      return (await api.request('POST', `/v1/runs/${what}`, { key: account.apiKey, body })).status;
    };
    const long = aLongRead();
    const held = Array.from({ length: 4 }, () => api.deps.reads(account.accountId, long.read));
    expect(await change()).toBe(429);
    long.end();
    await Promise.all(held);
    expect(await change()).toBe(200);
  },
);
