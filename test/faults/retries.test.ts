import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createAccount } from '../../src/shared/accounts/create-account.ts';
import { readId } from '../../src/shared/ids.ts';
import { startReceiver } from '../helpers/receiver.ts';
import { useInstallation } from './installed.ts';
import { patienceMs } from './patience.ts';
import { report } from './report.ts';

/** 10,000 are the whole proof, with a quiet machine; without FAULT_RETRIES as many as CI has the time for. */
const runs = Number(process.env['FAULT_RETRIES'] || 60);
const limitMs = patienceMs + runs * 100;
const waiting = { timeout: limitMs, interval: 50 };

const { installed } = useInstallation();

const withId = z.object({ id: z.string() });

/** Runs that have failed at a block, whose next version is fixed, and the service that it calls. */
const failedRuns = async (count: number) => {
  const { service, db, secrets } = installed();
  const owner = { name: 'Retries', email: `owner-${randomUUID()}@example.com`, plan: 'business' } as const;
  const { accountId, apiKey } = await createAccount({ sql: db, secrets }, owner);
  /** The requests that came to the fixed block, by their key. */
  const arrivals = new Map<string, number>();
  let lastAtMs = 0;
  const shop = await startReceiver({
    respond: ({ path, headers }) => {
      if (path === '/broken') return 404;
      const key = String(headers['idempotency-key']);
      if (!arrivals.has(key)) lastAtMs = Date.now();
      arrivals.set(key, (arrivals.get(key) ?? 0) + 1);
      return { type: 'respond', body: '{}' };
    },
  });
  onTestFinished(() => shop.close());
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${service.url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  const definitionOf = (path: string) => ({
    schema_version: 1,
    start: 'stock',
    triggers: [{ type: 'keyword', match: 'exact', words: ['go'], priority: 1, interrupt: false }],
    blocks: [
      { id: 'stock', type: 'external_request', method: 'PUT', url: shop.url(path), body: '{"run": "{{run.id}}"}' },
    ],
  });
  const { id: flow } = withId.parse(
    await call('POST', '/flows', { name: 'Stock', definition: definitionOf('/broken') }),
  );
  await call('POST', `/flows/${flow}/publish`);
  const { id: channel } = withId.parse(await call('POST', '/channels', { type: 'api', name: 'Retries' }));
  const left = Array.from({ length: count }, (_, number) => number).values();
  const say = async (): Promise<void> => {
    for (const number of left)
      await call('POST', `/channels/${channel}/inbound`, {
        message_id: `go-${number}`,
        sender: { external_id: `visitor-${number}` },
        text: 'go',
      });
  };
  await Promise.all(Array.from({ length: 16 }, say));
  const countRuns = async (status: string): Promise<number> => {
    const [row] = await db<[{ count: number }]>`
      select count(*)::int as count from runs where account_id = ${accountId} and status = ${status}`;
    return row.count;
  };
  await vi.waitUntil(async () => (await countRuns('failed')) === count, waiting);
  await call('PUT', `/flows/${flow}/draft`, { definition: definitionOf('/fixed') });
  await call('POST', `/flows/${flow}/publish`);
  return {
    accountId,
    arrivals,
    lastAtMs: () => lastAtMs,
    countRuns,
    start: async (pace: number): Promise<string> =>
      withId.parse(await call('POST', '/retries', { flow_id: flow, block_id: 'stock', pace })).id,
  };
};

type Failed = Awaited<ReturnType<typeof failedRuns>>;

/** Each run went on once, on the new version, and the service knows each by one key. */
const expectOnce = async ({ accountId, arrivals }: Failed, retryId: string): Promise<void> => {
  const { db } = installed();
  const [retry] = await db`select retried, refused, status from retries where id = ${readId('retry', retryId)}`;
  expect(retry).toEqual({ retried: runs, refused: 0, status: 'finished' });
  const walked = await db<{ way: string; count: number }[]>`
    select way, count(*)::int from (
      select r.version || ' ' || r.status || ' ' || string_agg(s.block_id || s.visit || coalesce(s.port, ''), ',' order by s.number) as way
      from runs r join run_steps s on s.run_id = r.id where r.account_id = ${accountId} group by r.id) as ways
    group by way`;
  expect(walked).toEqual([{ way: '2 completed stock1error,stock2success', count: runs }]);
  const moved = await db`
    select from run_moves m join runs r on r.id = m.run_id where r.account_id = ${accountId} and m.step = 2`;
  expect(moved).toHaveLength(runs);
  expect(arrivals.size).toBe(runs);
  for (const key of arrivals.keys()) expect(key).toMatch(/^run_\w+:stock:2$/);
};

test(
  `${runs} failed runs go on from their block on a newer version, and each calls the service once`,
  async () => {
    const failed = await failedRuns(runs);
    const beganMs = performance.now();
    const retryId = await failed.start(200);
    await vi.waitUntil(async () => (await failed.countRuns('completed')) === runs, waiting);
    const tookMs = performance.now() - beganMs;
    await vi.waitUntil(
      async () =>
        (
          await installed().db`
      select from retries where id = ${readId('retry', retryId)} and status = 'finished'`
        ).length === 1,
      waiting,
    );
    await expectOnce(failed, retryId);
    expect([...failed.arrivals.values()].every((times) => times === 1)).toBe(true);
    console.info(`${runs} failed runs went on in ${(tookMs / 1000).toFixed(1)} s`);
  },
  limitMs * 2,
);

test(
  `SIGKILL twice in the middle of a bulk retry of ${runs} runs loses none, and none goes on twice`,
  async () => {
    const { service } = installed();
    const failed = await failedRuns(runs);
    const retryId = await failed.start(Math.min(200, Math.ceil(runs / 6)));
    let sinceMs = 0;
    for (const share of [0.3, 0.6]) {
      await vi.waitUntil(() => failed.arrivals.size >= runs * share, waiting);
      await service.kill();
      sinceMs = Date.now();
      await service.start();
    }
    await vi.waitUntil(async () => (await failed.countRuns('completed')) === runs, waiting);
    await vi.waitUntil(
      async () =>
        (
          await installed().db`
      select from retries where id = ${readId('retry', retryId)} and status = 'finished'`
        ).length === 1,
      waiting,
    );
    await expectOnce(failed, retryId);
    expect(await failed.countRuns('failed')).toBe(0);
    const delivered = failed.arrivals.size;
    const sentAgain = [...failed.arrivals.values()].reduce((sum, times) => sum + times, 0) - delivered;
    const tally = { accepted: runs, delivered, lost: runs - delivered, sentAgain, lastAtMs: failed.lastAtMs() };
    // The rest goes on at its pace, and not at once.
    await report('retriesKilled', tally, { sinceMs, backlogSeconds: runs / 5 });
  },
  limitMs * 2,
);
