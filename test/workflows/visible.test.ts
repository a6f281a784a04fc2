import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { replayDelivery } from '../../src/shared/deliveries/replay.ts';
import { createTestDelivery } from '../../src/shared/deliveries/test-event.ts';
import { findWebhook } from '../../src/shared/webhooks/queries.ts';
import { showId } from '../../src/shared/ids.ts';
import { startLiveWorld, type LiveWorld } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { shownOf, timersOf } from '../helpers/temporal.ts';
import { makeOverdue, makeDue } from '../helpers/states/deliveries.ts';
import { retireWebhooks } from '../helpers/states/webhooks.ts';

const run = promisify(execFile);

/** APPLICATION_ERROR_CATEGORY_BENIGN of Temporal's API. */
const benign = 1;

describe("a delivery on Temporal's dev server, in real time", () => {
  let temporal: LiveWorld['temporal'];
  let world: LiveWorld['world'];
  let stop: LiveWorld['stop'];
  let receiver: Receiver;
  let settled = true;

  beforeAll(async () => {
    ({ temporal, world, stop } = await startLiveWorld({
      settled: () => settled,
    }));
    receiver = await startReceiver();
  });

  beforeEach(async () => {
    await retireWebhooks(world.db);
  });

  afterAll(() => Promise.all([stop(), receiver.close()]));

  const handleOf = (id: string) => temporal.client.workflow.getHandle(`delivery/${showId('delivery', id)}`);

  const historyOf = async (id: string) => {
    const { events } = await handleOf(id).fetchHistory();
    return events ?? [];
  };

  test('delivered, it is one eager start that ends at once: five history events, nothing private in them', async () => {
    receiver.respondWith(200);
    const url = receiver.url('/private-path?token=private-token');
    const webhookId = await world.aWebhook({ url, secret: 'private-secret' });
    const [id = ''] = await world.anEvent('a private text');
    await world.drain();
    expect(await handleOf(id).result()).toEqual({ status: 'delivered', status_code: 200 });

    const events = await historyOf(id);
    expect(events).toHaveLength(5);
    expect(events[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).toBe(true);
    const text = Buffer.from(
      JSON.stringify(events, (_, value) => (value?.type === 'Buffer' ? String(Buffer.from(value.data)) : value)),
    );
    for (const hidden of ['private', '127.0.0.1']) expect(text.includes(hidden)).toBe(false);

    const description = await handleOf(id).describe();
    expect(description.type).toBe('deliverEvent');
    expect(await description.staticSummary()).toBe(`new_message to ${showId('webhook', webhookId)}, variant A`);
    expect((await shownOf(temporal.client, handleOf(id).workflowId)).details).toMatch(
      /^\*\*delivered\*\*: 1 attempt, answered 200 in \d+ ms$/,
    );
  });

  test.each([
    { variant: 'dashboard', answer: 204 },
    { variant: 'api', answer: 500 },
  ] as const)('a test event answered $answer has a workflow that says so', async ({ variant, answer }) => {
    receiver.respondWith(answer);
    const webhookId = await world.aWebhook({ url: receiver.url('/test'), variant });
    const webhook = await findWebhook(world.db, { accountId: world.accountId, variants: [variant] }, webhookId);
    if (!webhook) throw new Error('no webhook');
    const { id } = await world.transact((tx) => createTestDelivery(tx, webhook, undefined));
    await world.drain();
    expect(await handleOf(id).result()).toMatchObject({ status: answer === 500 ? 'failed' : 'delivered' });
    expect((await shownOf(temporal.client, handleOf(id).workflowId)).details).toContain(
      `1 attempt, answered ${answer}`,
    );
  });

  test('a replay that is delivered has a workflow of its round', async () => {
    receiver.respondWith(200);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await world.transact((tx) => replayDelivery(tx, { accountId: world.accountId, variants: ['api'] }, id));
    await world.drain();
    const replayed = temporal.client.workflow.getHandle(`${handleOf(id).workflowId}/round/2`);
    expect(await replayed.result()).toMatchObject({ status: 'delivered' });
    expect(await historyOf(id)).toHaveLength(5);
  });

  test('failed once, it sleeps on a timer that says what it waits for, and is found by its status', async () => {
    receiver.respondWith(503);
    const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    const query = `WebhookId = "${showId('webhook', webhookId)}" AND DeliveryStatus = "retrying"`;
    const found = () => Array.fromAsync(temporal.client.workflow.list({ query }));
    await vi.waitUntil(async () => (await found()).length === 1, { timeout: 60_000, interval: 50 });

    const [workflow] = await found();
    expect(workflow?.workflowId).toBe(handleOf(id).workflowId);
    const { summaries, details } = await shownOf(temporal.client, handleOf(id).workflowId);
    expect(summaries.at(-1)).toBe('HTTP 503; retry 1 of 5 in 30 s');
    const [timerMs = 0] = await timersOf(temporal.client, handleOf(id).workflowId);
    expect(timerMs).toBeGreaterThan(29_000);
    expect(timerMs).toBeLessThanOrEqual(30_000);
    expect(details).toMatch(
      /^\*\*Attempt 1 of 6 failed\*\*: answered 503 after \d+ ms\. Attempt 2 at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/,
    );
    await handleOf(id).signal('cancel');
    expect(await handleOf(id).result()).toEqual({ status: 'cancelled', reason: 'status', status_code: 503 });
    expect((await shownOf(temporal.client, handleOf(id).workflowId)).details).toMatch(
      /^\*\*cancelled\*\*: 1 attempt, answered 503 in \d+ ms; on request/,
    );
  });

  test('a failed retry is a failed activity, no fault of ours, and not sent twice for that', async () => {
    receiver.respondWith(500);
    const before = receiver.requests.length;
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await handleOf(id).signal('retryNow');
    await world.attemptsOf(id, 2);
    await handleOf(id).signal('cancel');
    expect(await handleOf(id).result()).toMatchObject({ status: 'cancelled' });

    const failed = { message: 'HTTP 500', type: 'AttemptFailed', final: true, category: benign };
    expect((await shownOf(temporal.client, handleOf(id).workflowId)).failures).toEqual([failed]);
    expect(receiver.requests).toHaveLength(before + 2);
  });

  test('where a process of the version before may get it, it reads the record', async () => {
    receiver.respondWith([500, 200]);
    await world.aWebhook({ url: receiver.url('/hook') });
    settled = false;
    const [failed = ''] = await world.anEvent();
    await world.drain();
    const [delivered = ''] = await world.anEvent();
    await world.drain();
    settled = true;
    expect(await handleOf(delivered).result()).toEqual({ status: 'delivered', status_code: 200 });
    await handleOf(failed).signal('cancel');
    expect(await handleOf(failed).result()).toEqual({ status: 'cancelled', reason: 'status', status_code: 500 });
    for (const id of [failed, delivered])
      expect((await historyOf(id)).some(({ activityTaskScheduledEventAttributes: it }) => it)).toBe(true);
  });

  /** Runs the workflow anew from its beginning, as "Reset" in Temporal's UI does, without the signals that it had. */
  const reset = async (id: string): Promise<void> => {
    const what = ['--workflow-id', handleOf(id).workflowId, '--type', 'FirstWorkflowTask', '--reapply-exclude', 'All'];
    const args = ['workflow', 'reset', ...what, '--reason', 'an operator did', '--address', temporal.address];
    await run(temporal.binary, args);
  };

  test('reset when its round is over, it ends at once as it had, and sends nothing', async () => {
    receiver.respondWith([500, 200]);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await handleOf(id).signal('retryNow');
    expect(await handleOf(id).result()).toMatchObject({ status: 'delivered' });
    const before = receiver.requests.length;
    await reset(id);
    expect(await handleOf(id).result()).toMatchObject({ status: 'delivered' });
    expect(await timersOf(temporal.client, handleOf(id).workflowId)).toEqual([]);
    expect(receiver.requests).toHaveLength(before);
  });

  test('reset while it sleeps, it goes on from the recorded attempts, at the time that they set', async () => {
    receiver.respondWith(500);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    const key = { deliveryId: showId('delivery', id), round: 1, kind: 'scheduled', number: 2 } as const;
    await world.attempt(key);
    const before = receiver.requests.length;
    await reset(id);
    const timers = () => timersOf(temporal.client, handleOf(id).workflowId);
    await vi.waitUntil(async () => (await timers()).length === 1, { timeout: 60_000, interval: 50 });
    expect((await timers())[0]).toBeGreaterThan(30_000);
    const { summaries, details } = await shownOf(temporal.client, handleOf(id).workflowId);
    expect(summaries.at(-1)).toMatch(/^HTTP 500; retry 2 of 5 in/);
    expect(details).toMatch(/^\*\*Attempt 2 of 6 failed\*\*: answered 500/);
    expect(receiver.requests).toHaveLength(before);
    await handleOf(id).signal('cancel');
    expect(await handleOf(id).result()).toMatchObject({ status: 'cancelled' });
  });

  test('a workflow that learns late of its attempt waits only for what is left: delays count from the failure', async () => {
    receiver.respondWith(500);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await makeDue(world.db, id, { inMs: 20_000 });
    await reset(id);
    const timers = () => timersOf(temporal.client, handleOf(id).workflowId);
    await vi.waitUntil(async () => (await timers()).length === 1, { timeout: 60_000, interval: 50 });
    expect((await timers())[0]).toBeLessThanOrEqual(20_000);
    expect(await world.attempts(id)).toHaveLength(1);
    await handleOf(id).signal('cancel');
    expect(await handleOf(id).result()).toMatchObject({ status: 'cancelled' });
  });

  test('terminated while it slept, it goes on in a workflow of its own, without an attempt made twice', async () => {
    receiver.respondWith([500, 200]);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await handleOf(id).terminate('an operator did');
    await makeDue(world.db, id, { inMs: 1_000 });
    expect(await world.sweep()).toBe(1);
    const resumed = temporal.client.workflow.getHandle(`${handleOf(id).workflowId}/resume/1`);
    expect(await resumed.result()).toMatchObject({ status: 'delivered' });

    const attempts = await world.attempts(id);
    expect(attempts.map(({ number, outcome }) => `${number} ${outcome}`)).toEqual(['1 failed', '2 succeeded']);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', resumes: 1 });
  });

  test('the sweep leaves a workflow alone that runs', async () => {
    receiver.respondWith(500);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.drain();
    await makeOverdue(world.db, id);
    expect(await world.sweep()).toBe(0);
    expect(await world.delivery(id)).toMatchObject({ resumes: 0 });
    await handleOf(id).signal('cancel');
    await handleOf(id).result();
  });
});
