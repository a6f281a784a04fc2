import { SpanKind } from '@opentelemetry/api';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { attemptDelivery } from '../../../../src/activities/attempt-delivery.ts';
import { createApiKey } from '../../../../src/shared/accounts/api-keys.ts';
import { parseConfig } from '../../../../src/shared/platform/config.ts';
import { parseEgressAllow } from '../../../../src/shared/platform/egress/addresses.ts';
import { createEgress } from '../../../../src/shared/platform/egress/client.ts';
import { showId } from '../../../../src/shared/ids.ts';
import type { Logger } from '../../../../src/shared/platform/log.ts';
import { currentTraceparent, inSpan, startTracing } from '../../../../src/shared/platform/telemetry/tracing.ts';
import { anInboundMessage } from '../../../helpers/builders.ts';
import { startCollector, type Collector } from '../../../helpers/collector.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../../../helpers/delivery-world.ts';
import { startLadderWorld } from '../../../helpers/ladder-world.ts';
import { startReceiver } from '../../../helpers/receiver.ts';
import { testCa } from '../../../helpers/tls.ts';
import { deliveriesOf } from '../../../helpers/items.ts';
import { insertChannel } from '../../../../src/shared/messages/channels/queries.ts';
import { replayDelivery } from '../../../../src/shared/deliveries/replay.ts';
import { startApi } from '../../../helpers/api.ts';
import { byTheClock } from '../../../helpers/by-the-clock.ts';
import { untold } from '../../../helpers/untold.ts';
import { toldTransact } from '../../../helpers/told-topics.ts';

const silent = pino({ level: 'silent' });
const traceId = '0af7651916cd43dd8448eb211c80319c';
const caller = 'b7ad6b7169203331';

const collectors: Collector[] = [];
afterEach(async () => {
  await Promise.all(collectors.splice(0).map(({ close }) => close()));
});

const aCollector = async (options?: { hangs: boolean }): Promise<Collector> => {
  const collector = await startCollector(options);
  collectors.push(collector);
  return collector;
};

/** Traces go to this collector until what is answered is called, or the test is over. */
const tracingTo = async (
  { url }: Pick<Collector, 'url'>,
  { serviceName = 'parley', ratio = 1 }: { serviceName?: string; ratio?: number } = {},
): Promise<() => Promise<void>> => {
  const stop = await startTracing({ traces: { url, serviceName, ratio } }, silent);
  onTestFinished(stop);
  return stop;
};

/** A log that is kept. */
const aLog = (): { log: Logger; lines: Record<string, unknown>[] } => {
  const lines: Record<string, unknown>[] = [];
  return { log: pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) }), lines };
};

/** The API of a delivery world, with a key and a channel; answers how a message is handed in. */
const serve = async (world: DeliveryWorld, log: Logger = silent) => {
  const api = await startApi({ world, log });
  onTestFinished(() => api.stop());
  const { value: key } = await createApiKey(untold(world.db), world.accountId, 'test');
  const channel = await insertChannel(world.db, world.accountId, { type: 'api', name: 'Shop' });
  const path = `/v1/channels/${showId('channel', channel.id)}/inbound`;
  return {
    key,
    hand: (message = anInboundMessage(), headers: Record<string, string> = {}) =>
      fetch(`${api.url}${path}`, {
        method: 'POST',
        body: JSON.stringify(message),
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
      }),
  };
};

describe('a trace', () => {
  test('goes from the API call to every attempt, the retries and those of another process included, and tells nothing private', async () => {
    const collector = await aCollector();
    const stopTracing = await tracingTo(collector);
    const { log, lines } = aLog();
    const { world, receiver, stop } = await startLadderWorld({ log });
    onTestFinished(stop);
    const { key, hand } = await serve(world, log);
    receiver.respondWith([500, 200]);
    const webhookId = await world.aWebhook({ url: receiver.url('/private-path?token=abc'), events: ['new_message'] });
    const message = anInboundMessage({
      sender: { external_id: 'private-sender', first_name: 'Ada', email: 'ada@private.example' },
      text: 'a private text',
    });

    const answer = await hand(message, { traceparent: `00-${traceId}-${caller}-01`, 'x-request-id': 'order-4711' });
    expect(answer.status).toBe(202);
    const [delivery] = await world.db<{ id: string }[]>`select id from deliveries`;
    const deliveryId = showId('delivery', delivery?.id ?? '');
    expect(await world.ended(delivery?.id ?? '')).toMatchObject({ status: 'delivered' });

    await stopTracing();
    // After a crash, another process has nothing but the database.
    const scope = { accountId: world.accountId, variants: ['api'] } as const;
    await toldTransact(world.db)((tx) => replayDelivery(tx, scope, delivery?.id ?? ''));
    const stopOther = await tracingTo(collector, { serviceName: 'parley-worker' });
    const egress = createEgress({ allow: parseEgressAllow('127.0.0.0/8'), extraCa: testCa().certPem });
    onTestFinished(() => egress.close());
    const deps = { ...world, tellTopics: () => {}, egress, log };
    await attemptDelivery(deps)({ deliveryId, round: 2, kind: 'scheduled', number: 1 });
    await stopOther();

    const spans = collector.spans.filter((span) => span.traceId === traceId);
    const [call] = spans.filter(({ name }) => name === 'POST /v1/channels/:id/inbound');
    expect(call).toMatchObject({
      parentSpanId: caller,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/channels/:id/inbound',
        'http.response.status_code': 202,
        'parley.request_id': 'order-4711',
      },
    });
    const emits = spans.filter(({ name }) => name === 'event.emit');
    expect(emits.map(({ parentSpanId, attributes }) => [parentSpanId, attributes])).toEqual([
      [call?.spanId, expect.objectContaining({ 'parley.event': 'new_contact', 'parley.deliveries': 0 })],
      [call?.spanId, expect.objectContaining({ 'parley.event': 'new_message', 'parley.deliveries': 1 })],
    ]);
    expect(spans.find(({ name }) => name === 'workflow.start')).toMatchObject({
      parentSpanId: call?.spanId,
      attributes: { 'parley.workflow_id': `delivery/${deliveryId}` },
    });
    const attempts = spans.filter(({ name }) => name === 'delivery.attempt');
    expect(attempts.map(({ parentSpanId, service, attributes }) => [parentSpanId, service, attributes])).toEqual(
      [
        ['parley', 1, 1, { outcome: 'failed', status: 500, error: 'status' }] as const,
        ['parley', 1, 2, { outcome: 'succeeded', status: 200 }] as const,
        ['parley-worker', 2, 1, { outcome: 'succeeded', status: 200 }] as const,
      ].map(([service, round, number, { outcome, status, ...failed }]) => [
        emits[1]?.spanId,
        service,
        {
          'parley.delivery_id': deliveryId,
          'parley.account_id': showId('account', world.accountId),
          'parley.webhook_id': showId('webhook', webhookId),
          'parley.variant': 'api',
          'parley.round': round,
          'parley.kind': 'scheduled',
          'parley.number': number,
          'parley.outcome': outcome,
          'http.response.status_code': status,
          ...('error' in failed && { 'error.type': failed.error }),
        },
      ]),
    );

    const told = JSON.stringify(collector.received);
    for (const secret of ['private', 'Ada', 'token', 'a-secret', key, 'con_', `:${receiver.port}`, 'private-path']) {
      expect(told).not.toContain(secret);
    }
    expect(receiver.requests).toHaveLength(3);
    for (const { headers } of receiver.requests) expect(headers).not.toHaveProperty('traceparent');

    const attempted = lines.filter(({ msg }) => msg === 'delivery.attempted');
    expect(attempted.map(({ delivery_id, round, number, trace_id }) => [delivery_id, round, number, trace_id])).toEqual(
      [
        [deliveryId, 1, 1, traceId],
        [deliveryId, 1, 2, traceId],
        [deliveryId, 2, 1, traceId],
      ],
    );
    expect(lines.find(({ msg }) => msg === 'api.request')).toMatchObject({ trace_id: traceId });
  });

  test.each([
    { what: 'no traceparent', traceparent: '' },
    { what: 'one that is none', traceparent: '00-xyz-b7ad6b7169203331-01' },
    { what: 'one of zeros', traceparent: `00-${'0'.repeat(32)}-${caller}-01` },
    { what: 'one of the version that is forbidden', traceparent: `ff-${traceId}-${caller}-01` },
  ])('begins with the span when there is $what', async ({ traceparent }) => {
    const collector = await aCollector();
    const stopTracing = await tracingTo(collector);
    await inSpan('work', { parent: traceparent }, async () => {});
    await stopTracing();
    expect(collector.spans).toMatchObject([{ name: 'work', service: 'parley' }]);
    expect(collector.spans[0]?.traceId).not.toBe(traceId);
    expect(collector.spans[0]?.parentSpanId).toBeUndefined();
  });

  test('that its caller does not keep is not exported, but goes on', async () => {
    const collector = await aCollector();
    const stopTracing = await tracingTo(collector);
    await inSpan('unkept', { parent: `00-${traceId}-${caller}-00` }, async () => {
      expect(currentTraceparent()).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    });
    await inSpan('kept', {}, async () => {});
    await stopTracing();
    expect(collector.spans.map(({ name }) => name)).toEqual(['kept']);
  });

  test('that a stranger wants kept is kept only if the share says so; one that we kept before is kept on', async () => {
    const collector = await aCollector();
    const stopTracing = await tracingTo(collector, { ratio: 0 });
    const parent = `00-${traceId}-${caller}-01`;
    await inSpan("a stranger's", { kind: SpanKind.SERVER, parent }, async () => {
      expect(currentTraceparent()).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    });
    await inSpan('ours, stored', { kind: SpanKind.CLIENT, parent }, async () => {});
    await stopTracing();
    expect(collector.spans.map(({ name }) => name)).toEqual(['ours, stored']);
  });

  test('is kept by its share whatever id its caller chose', async () => {
    const collector = await aCollector();
    const stopTracing = await tracingTo(collector, { ratio: 0.5 });
    const lowest = `00-${'1'.padStart(32, '0')}-${caller}-01`;
    for (let call = 0; call < 200; call += 1) {
      await inSpan('call', { kind: SpanKind.SERVER, parent: lowest }, async () => {});
    }
    await stopTracing();
    expect(collector.spans.length).toBeGreaterThan(60);
    expect(collector.spans.length).toBeLessThan(140);
  });

  test("of work that throws has the error's name, and not its message", async () => {
    const collector = await aCollector();
    const stopTracing = await tracingTo(collector);
    const work = inSpan('work', {}, async () => {
      throw new RangeError('about ada@private.example');
    });
    await expect(work).rejects.toThrow('about ada');
    await stopTracing();
    expect(collector.spans).toMatchObject([{ status: { code: 2 }, attributes: { 'error.type': 'RangeError' } }]);
    expect(JSON.stringify(collector.received)).not.toContain('private');
  });
});

describe('a collector', () => {
  test.each([{ state: 'hangs' }, { state: 'is away' }])(
    'that $state holds up neither answers, nor attempts, nor the shutdown',
    byTheClock,
    async ({ state }) => {
      const collector = await aCollector({ hangs: true });
      if (state === 'is away') await collectors.pop()?.close();
      const stopTracing = await tracingTo(collector);
      const [world, receiver] = await Promise.all([startDeliveryWorld(), startReceiver()]);
      onTestFinished(async () => {
        await Promise.all([world.stop(), receiver.close()]);
      });
      const { hand } = await serve(world);
      await world.aWebhook({ url: receiver.url('/hook'), events: ['new_message'] });

      const since = performance.now();
      expect((await hand()).status).toBe(202);
      const [delivery] = deliveriesOf(world.dispatched);
      const deliveryId = showId('delivery', delivery?.id ?? '');
      const attempt = await world.attempt({ deliveryId, round: 1, kind: 'scheduled', number: 1 });
      expect(attempt).toMatchObject({ type: 'recorded', outcome: 'succeeded' });
      expect(performance.now() - since).toBeLessThan(2_000);

      await stopTracing();
      expect(performance.now() - since).toBeLessThan(5_000);
    },
  );

  test('that fails, and one that takes traces again, are said once each', async () => {
    const { log, lines } = aLog();
    const receiver = await startReceiver({ plain: true, respond: [400, 400, 200] });
    onTestFinished(() => receiver.close());
    const { exportTraces } = await import('../../../../src/shared/platform/telemetry/open-telemetry.ts');
    const traces = { url: receiver.url('/v1/traces'), serviceName: 'parley', ratio: 1, everyMs: 20 };
    onTestFinished(exportTraces(traces, log));
    for (const sent of [1, 2, 3]) {
      await inSpan('work', {}, async () => {});
      await expect.poll(() => receiver.requests.length, { timeout: 60_000 }).toBe(sent);
    }
    await expect
      .poll(() => lines.map(({ msg }) => msg), { timeout: 60_000 })
      .toEqual(['tracing.unavailable', 'tracing.available']);
  });
});

describe('without a collector in the settings', () => {
  /** What a process loads for tracing with these settings. */
  const loadedWith = async (env: Record<string, string>): Promise<string[]> => {
    const program = `
      import { registerHooks } from 'node:module';
      const seen = [];
      registerHooks({ resolve: (name, context, next) => { seen.push(name); return next(name, context); } });
      const { startTracing } = await import('./src/shared/platform/telemetry/tracing.ts');
      const { parseConfig } = await import('./src/shared/platform/config.ts');
      await import('./src/service/start-service.ts');
      await startTracing(parseConfig(process.env), undefined);
      process.stdout.write(JSON.stringify(seen.filter((name) => /opentelemetry.(sdk|exporter|resources|core|context)|open-telemetry/.test(name))));
      process.exit();`;
    const cwd = fileURLToPath(new URL('../../../../', import.meta.url));
    const options = { cwd, env: { PATH: process.env.PATH, ...env } };
    const { stdout } = await promisify(execFile)('node', ['--input-type=module', '--eval', program], options);
    return JSON.parse(stdout);
  };

  test('nothing of the SDK is loaded; with one it is', async () => {
    expect(await loadedWith({})).toEqual([]);
    expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' })).toContain(
      '@opentelemetry/sdk-trace',
    );
  });

  test('no attributes are made; with one they are', async () => {
    const made: string[] = [];
    const attributes = () => ({ 'parley.number': made.push('attributes') });
    await inSpan('work', { attributes }, async () => {});
    expect(made).toEqual([]);
    const collector = await aCollector();
    const stopTracing = await tracingTo(collector);
    await inSpan('work', { attributes }, async () => {});
    await stopTracing();
    expect(collector.spans).toMatchObject([{ attributes: { 'parley.number': 1 } }]);
  });

  test('deliveries carry no traceparent, and log lines no trace', async () => {
    const { log, lines } = aLog();
    const [world, receiver] = await Promise.all([startDeliveryWorld({ log }), startReceiver()]);
    onTestFinished(async () => {
      await Promise.all([world.stop(), receiver.close()]);
    });
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    const key = { deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number: 1 } as const;
    await world.attempt(key);
    expect(await world.db`select traceparent from deliveries`).toEqual([{ traceparent: null }]);
    const attempted = lines.filter(({ msg }) => msg === 'delivery.attempted');
    expect(attempted).toHaveLength(1);
    expect(attempted[0]).not.toHaveProperty('trace_id');
  });
});

test.each([
  { env: {}, traces: undefined },
  { env: { OTEL_SERVICE_NAME: 'shop' }, traces: undefined },
  {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' },
    traces: { url: 'http://collector:4318/v1/traces', serviceName: 'parley', ratio: 1 },
  },
  {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otlp.example/base/', OTEL_SERVICE_NAME: 'shop' },
    traces: { url: 'https://otlp.example/base/v1/traces', serviceName: 'shop', ratio: 1 },
  },
  {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/take',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
    traces: { url: 'http://traces:4318/take', serviceName: 'parley', ratio: 0.1 },
  },
])('the settings $env send traces to $traces.url', ({ env, traces }) => {
  expect(parseConfig(env).traces).toEqual(traces);
});
