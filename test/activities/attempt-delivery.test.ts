import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Sql } from '../../src/shared/platform/db/connect.ts';
import type { AttemptResult } from '../../src/shared/deliveries/types.ts';
import { isBusy } from '../../src/shared/platform/bulkhead/busy.ts';
import type { Variant } from '../../src/shared/facts/names.ts';
import { showId } from '../../src/shared/ids.ts';
import { lockWebhook } from '../../src/shared/webhooks/locks.ts';
import { untilSomebodyWaits } from '../helpers/database.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../helpers/delivery-world.ts';
import { startReceiver, type Answer, type Receiver } from '../helpers/receiver.ts';
import { createCa } from '../helpers/tls.ts';
import { tlsFailures } from '../helpers/tls-failures.ts';
import { movePlan } from '../helpers/states/accounts.ts';
import { activateWebhook, disableWebhook, retireWebhooks } from '../helpers/states/webhooks.ts';
import { byTheClock } from '../helpers/by-the-clock.ts';

/** Every name is at 127.0.0.1, which is not said before `answer`. */
const createNameLookup = () => {
  const { promise, resolve } = Promise.withResolvers<LookupAddress[]>();
  return { lookup: () => promise, answer: () => resolve([{ address: '127.0.0.1', family: 4 }]) };
};

describe('one attempt', () => {
  let world: DeliveryWorld;
  let receiver: Receiver;

  beforeAll(async () => {
    [world, receiver] = await Promise.all([startDeliveryWorld(), startReceiver()]);
  });

  beforeEach(async () => {
    await retireWebhooks(world.db);
  });

  afterAll(() => Promise.all([world.stop(), receiver.close()]));

  const keyOf = (id: string) =>
    ({ deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number: 1 }) as const;

  /** The first attempt of a new delivery to `url`. */
  const attempt = async (url: string, variant: Variant = 'api'): Promise<{ id: string; result: AttemptResult }> => {
    await retireWebhooks(world.db);
    await world.aWebhook({ url, variant });
    const [id = ''] = await world.anEvent();
    return { id, result: await world.attempt(keyOf(id)) };
  };

  const answered = (answer: Answer, variant?: Variant) => {
    receiver.respondWith(answer);
    return attempt(receiver.url('/hook'), variant);
  };

  test.each([
    { status: 200, api: 'succeeded', dashboard: 'succeeded' },
    { status: 201, api: 'failed', dashboard: 'succeeded' },
    { status: 202, api: 'failed', dashboard: 'succeeded' },
    { status: 204, api: 'failed', dashboard: 'succeeded' },
    { status: 299, api: 'failed', dashboard: 'succeeded' },
    { status: 301, api: 'failed', dashboard: 'failed' },
    { status: 302, api: 'failed', dashboard: 'failed' },
    { status: 304, api: 'failed', dashboard: 'failed' },
    { status: 307, api: 'failed', dashboard: 'failed' },
    { status: 400, api: 'failed', dashboard: 'failed' },
    { status: 401, api: 'failed', dashboard: 'failed' },
    { status: 404, api: 'failed', dashboard: 'failed' },
    { status: 410, api: 'failed', dashboard: 'failed' },
    { status: 429, api: 'failed', dashboard: 'failed' },
    { status: 500, api: 'failed', dashboard: 'failed' },
    { status: 503, api: 'failed', dashboard: 'failed' },
  ] as const)(
    'an answer $status has $api for variant A and $dashboard for variant B',
    async ({ status, ...expected }) => {
      for (const variant of ['api', 'dashboard'] as const) {
        await retireWebhooks(world.db);
        const { id, result } = await answered(status, variant);
        expect(result).toMatchObject({ type: 'recorded', outcome: expected[variant], statusCode: status });
        expect(await world.delivery(id)).toMatchObject({
          status: expected[variant] === 'succeeded' ? 'delivered' : 'retrying',
        });
      }
    },
  );

  test('a redirect is not followed', async () => {
    const before = receiver.requests.length;
    await answered({ type: 'respond', status: 302, headers: { location: receiver.url('/elsewhere') } });
    expect(receiver.requests.slice(before).map(({ path }) => path)).toEqual(['/hook']);
  });

  test(
    'headers that come after ten seconds are a time-out; a body that drips on beyond them is not',
    byTheClock,
    async () => {
      const slow = await startReceiver({ respond: { type: 'respond', delayMs: 10_500 } });
      const dripping = await startReceiver({ respond: { type: 'drip', everyMs: 200 } });
      await retireWebhooks(world.db);
      for (const endpoint of [slow, dripping]) await world.aWebhook({ url: endpoint.url('/hook') });
      const ids = await world.anEvent();
      const [late, dripped] = await Promise.all(ids.map((id) => world.attempt(keyOf(id))));
      await Promise.all([slow.close(), dripping.close()]);

      expect(late).toMatchObject({ type: 'recorded', outcome: 'failed', reason: 'timeout' });
      expect(late).toHaveProperty('durationMs', expect.closeTo(10_000, -3));
      expect(dripped).toMatchObject({ type: 'recorded', outcome: 'succeeded', statusCode: 200 });
      expect((dripped?.type === 'recorded' && dripped.durationMs) || 0).toBeLessThan(5_000);
      const [evidence] = await world.attempts(ids[1] ?? '');
      expect(evidence).toMatchObject({ responseTruncated: true });
      expect(evidence?.responseBody?.byteLength).toBeGreaterThan(10);
    },
  );

  test('an endless body is read up to 16 KiB and counts by its status', async () => {
    const { id, result } = await answered({ type: 'endless' });
    expect(result).toMatchObject({ outcome: 'succeeded', statusCode: 200 });
    const [evidence] = await world.attempts(id);
    expect(evidence?.responseBody?.byteLength).toBe(16 * 1024);
    expect(evidence?.responseTruncated).toBe(true);
  });

  test('a reset, an unknown authority, an unknown name and a closed port fail by their own names', async () => {
    const { result: reset } = await answered({ type: 'reset' });
    expect(reset).toMatchObject({ outcome: 'failed', reason: 'reset' });

    const stranger = await startReceiver({ ca: createCa('nobody knows') });
    const { result: tls } = await attempt(stranger.url('/hook'));
    await stranger.close();
    expect(tls).toMatchObject({ outcome: 'failed', reason: 'tls' });
    expect(stranger.requests).toEqual([]);

    const { result: dns } = await attempt('https://no-such-host.invalid/hook');
    expect(dns).toMatchObject({ outcome: 'failed', reason: 'dns' });

    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    server.close();
    await once(server, 'close');
    const { result: connect } = await attempt(`https://127.0.0.1:${port}/hook`);
    expect(connect).toMatchObject({ outcome: 'failed', reason: 'connect' });
  });

  test('an attempt for which this process has no look-up left is not made, recorded or counted, and comes again', async () => {
    const lookups = createNameLookup();
    const crowded = await startDeliveryWorld({ lookup: lookups.lookup });
    onTestFinished(() => crowded.stop());
    await crowded.aWebhook({ url: receiver.url('/hook', 'localhost') });
    const [id = ''] = await crowded.anEvent();
    const before = receiver.requests.length;
    receiver.respondWith(200);

    const checks = Array.from({ length: 300 }, (_, i) =>
      crowded.egress.checkUrl({ url: `https://silent-${i}.test/`, accountId: crowded.accountId }),
    );
    const refused = await crowded.attempt(keyOf(id)).catch((error: unknown) => error);
    expect(isBusy(refused)).toBe(true);
    expect(refused).toMatchObject({ nextRetryDelay: expect.any(Number) });
    expect(await crowded.attempts(id)).toEqual([]);
    expect(await crowded.delivery(id)).toMatchObject({ status: 'pending', attemptsMade: 0 });
    expect(await crowded.metrics.registry.metrics()).not.toContain('parley_delivery_attempts_total{');

    lookups.answer();
    await Promise.all(checks);
    expect(await crowded.attempt(keyOf(id))).toMatchObject({ outcome: 'succeeded' });
    expect(receiver.requests).toHaveLength(before + 1);
  });

  test.each(tlsFailures)('a failure of TLS is recorded by its name, also late: %s', async (_what, detail, options) => {
    const broken = await startReceiver(options);
    onTestFinished(() => broken.close());
    const { id, result } = await attempt(broken.url('/hook').replace('http:', 'https:'));
    expect(result).toMatchObject({ type: 'recorded', outcome: 'failed', reason: 'tls', detail });
    expect(await world.attempts(id)).toMatchObject([{ reason: 'tls', detail }]);
    expect(await world.attempt(keyOf(id))).toEqual({ ...result, dueInMs: expect.any(Number) });

    const late = {
      startedAt: new Date().toISOString(),
      generation: 1,
      outcome: 'failed',
      reason: 'tls',
      detail,
      durationMs: 1,
    } as const;
    const second = { ...keyOf(id), number: 2 };
    expect(await world.activities.recordAttempt(second, late)).toMatchObject({ reason: 'tls', detail });
    expect(await world.attempts(id)).toMatchObject([{ detail }, { reason: 'tls', detail }]);
    expect(await world.metrics.registry.metrics()).not.toContain(detail);
  });

  test('a private address is refused at the dial, whatever was checked at registration', async () => {
    const { result } = await attempt('https://10.0.0.1/hook');
    expect(result).toMatchObject({ outcome: 'failed', reason: 'refused_address' });
  });

  test('an attempt that is recorded is answered from the record, without another POST', async () => {
    const { id, result } = await answered(200);
    const before = receiver.requests.length;
    expect(await world.attempt(keyOf(id))).toEqual(result);
    expect(receiver.requests).toHaveLength(before);
    expect(await world.attempts(id)).toHaveLength(1);
  });

  test('a failed one fails its activity, also when it is answered from the record', async () => {
    receiver.respondWith(500);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    const before = receiver.requests.length;
    const visibly = () => world.activities.attemptDelivery(keyOf(id));
    const failure = {
      type: 'AttemptFailed',
      message: 'HTTP 500',
      nonRetryable: true,
      category: 'BENIGN',
      details: [
        { type: 'recorded', outcome: 'failed', reason: 'status', statusCode: 500, durationMs: expect.any(Number) },
      ],
    };
    await expect(visibly()).rejects.toMatchObject(failure);
    await expect(visibly()).rejects.toMatchObject(failure);
    expect(receiver.requests).toHaveLength(before + 1);
  });

  test('an outcome that could not be recorded stays a result, whoever asks', async () => {
    receiver.respondWith(async () => {
      await world.db`alter table attempts rename to attempts_away`;
      return 500;
    });
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    const result = await world.attempt(keyOf(id));
    await world.db`alter table attempts_away rename to attempts`;
    expect(result).toMatchObject({ type: 'unrecorded', outcome: 'failed', statusCode: 500 });
  });

  test('the evidence holds request and response, the dialled address, and never the secret', async () => {
    receiver.respondWith({ type: 'respond', status: 418, headers: { 'x-why': 'teapot' }, body: 'short and stout' });
    await world.aWebhook({ url: receiver.url('/hook'), secret: 'top secret' });
    const [id = ''] = await world.anEvent();
    await world.attempt(keyOf(id));
    const [evidence] = await world.attempts(id);

    expect(evidence).toMatchObject({
      statusCode: 418,
      reason: 'status',
      address: '127.0.0.1',
      responseTruncated: false,
    });
    expect(String(Buffer.from(evidence?.responseBody ?? []))).toBe('short and stout');
    expect(evidence?.responseHeaders).toMatchObject({ 'x-why': 'teapot' });
    expect(evidence?.requestHeaders).toMatchObject({ 'content-type': 'application/json' });
    expect(JSON.stringify(evidence)).not.toContain('top secret');
    const { 'X-Service-Signature': own, 'webhook-signature': standard } = evidence?.requestHeaders ?? {};
    expect([own, standard]).toEqual(['[redacted]', '[redacted]']);
  });

  test('an outcome that cannot be recorded goes back to the workflow and is recorded later, not sent again', async () => {
    receiver.respondWith(async () => {
      await world.db`alter table attempts rename to attempts_away`;
      return 200;
    });
    const before = receiver.requests.length;
    const { id, result } = await attempt(receiver.url('/hook'));
    await world.db`alter table attempts_away rename to attempts`;

    expect(result).toMatchObject({ type: 'unrecorded', outcome: 'succeeded', statusCode: 200 });
    if (result.type !== 'unrecorded') return;
    await world.activities.recordAttempt(keyOf(id), result);
    await world.activities.recordAttempt(keyOf(id), result);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptsMade: 1 });
    expect(await world.attempts(id)).toHaveLength(1);
    expect(receiver.requests).toHaveLength(before + 1);
  });

  test('a database that is slow after the POST has its outcome recorded later, not the delivery sent again', async () => {
    const released = Promise.withResolvers<void>();
    let locking: Promise<unknown> = Promise.resolve();
    receiver.respondWith(async () => {
      const locked = Promise.withResolvers<void>();
      locking = world.db.begin(async (sql) => {
        await sql`select 1 from deliveries for update`;
        locked.resolve();
        await released.promise;
      });
      await locked.promise;
      return 200;
    });
    const before = receiver.requests.length;
    const { id, result } = await attempt(receiver.url('/hook'));
    released.resolve();
    await locking;

    expect(result).toMatchObject({ type: 'unrecorded', outcome: 'succeeded', generation: 1 });
    if (result.type !== 'unrecorded') return;
    await world.activities.recordAttempt(keyOf(id), result);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', attemptsMade: 1 });
    expect(await world.attempts(id)).toHaveLength(1);
    expect(receiver.requests).toHaveLength(before + 1);
  });

  test('a failure that is recorded late does not move the time of a later attempt', async () => {
    const { id } = await answered(500);
    await world.attempt({ ...keyOf(id), number: 2 });
    const before = await world.delivery(id);
    const late = { startedAt: new Date().toISOString(), generation: 1, outcome: 'failed', durationMs: 1 } as const;
    await world.activities.recordAttempt(keyOf(id), late);
    expect(await world.delivery(id)).toEqual(before);
  });

  test('nothing is sent for a disabled webhook, a lapsed plan (parked) or a deleted webhook (cancelled)', async () => {
    const states = [
      { change: (id: string) => disableWebhook(world.db, id), status: 'parked' },
      { change: () => movePlan(world.db, world.accountId, 'free'), status: 'parked' },
      { change: () => retireWebhooks(world.db), status: 'cancelled' },
    ] as const;
    for (const { change, status } of states) {
      await retireWebhooks(world.db);
      await movePlan(world.db, world.accountId, 'pro');
      const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
      const [id = ''] = await world.anEvent();
      const before = receiver.requests.length;
      await change(webhookId);
      expect(await world.attempt(keyOf(id))).toEqual({ type: 'stopped', status });
      expect(await world.delivery(id)).toMatchObject({ status, sweepAt: null });
      expect(receiver.requests).toHaveLength(before);
    }
    await movePlan(world.db, world.accountId, 'pro');
  });

  /** Runs `meanwhile` with a webhook locked, once somebody else waits for that lock; commits what it has done. */
  const whileLocked = async (webhookId: string, meanwhile: (sql: Sql) => Promise<unknown>) => {
    const locked = Promise.withResolvers<void>();
    const done = world.db.begin(async (sql) => {
      await lockWebhook(sql, webhookId);
      locked.resolve();
      await untilSomebodyWaits(world.db);
      await meanwhile(sql);
    });
    await locked.promise;
    return { done };
  };

  test(
    'where the lock to park is held for long, the attempt gives up in time, and parks when it is made anew',
    byTheClock,
    async () => {
      const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
      const [id = ''] = await world.anEvent();
      await disableWebhook(world.db, webhookId);
      const gaveUp = Promise.withResolvers<void>();
      const holder = await whileLocked(webhookId, () => gaveUp.promise);
      const began = performance.now();
      await expect(world.attempt(keyOf(id))).rejects.toThrow(/lock timeout/);
      expect(performance.now() - began).toBeLessThan(5_000);
      gaveUp.resolve();
      await holder.done;
      expect(await world.delivery(id)).toMatchObject({ status: 'pending' });
      expect(await world.attempt(keyOf(id))).toEqual({ type: 'stopped', status: 'parked' });
    },
  );

  test('a webhook re-enabled while its delivery is about to be parked gets it when the attempt is made anew', async () => {
    receiver.respondWith(200);
    const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await disableWebhook(world.db, webhookId);
    const before = receiver.requests.length;
    const holder = await whileLocked(webhookId, (sql) => activateWebhook(sql, webhookId));
    await expect(world.attempt(keyOf(id))).rejects.toThrow(/may be sent to again/);
    await holder.done;
    expect(receiver.requests).toHaveLength(before);
    expect(await world.attempt(keyOf(id))).toMatchObject({ outcome: 'succeeded' });
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered' });
  });
});
