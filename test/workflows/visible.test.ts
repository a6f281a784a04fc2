import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { showId } from '../../src/shared/ids.ts';
import { startLiveWorld, type LiveWorld } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { timersOf } from '../helpers/temporal.ts';

const firstAttemptsPerWebhook = 4;

describe("a delivery on Temporal's dev server, in real time", () => {
  let temporal: LiveWorld['temporal'];
  let world: LiveWorld['world'];
  let stop: LiveWorld['stop'];
  let receiver: Receiver;

  beforeAll(async () => {
    ({ temporal, world, stop } = await startLiveWorld({ firstAttemptsPerWebhook }));
    receiver = await startReceiver();
  });

  beforeEach(async () => {
    await world.db`update webhooks set deleted_at = now()`;
  });

  afterAll(() => Promise.all([stop(), receiver.close()]));

  const handleOf = (id: string) => temporal.client.workflow.getHandle(`delivery/${showId('delivery', id)}`);

  const historyOf = async (id: string) => {
    const { events } = await handleOf(id).fetchHistory();
    return events ?? [];
  };

  test('healthy, it is one eager start with a local attempt: six history events, nothing private in them', async () => {
    receiver.respondWith(200);
    const url = receiver.url('/private-path?token=private-token');
    const webhookId = await world.aWebhook({ url, secret: 'private-secret' });
    const [id = ''] = await world.anEvent('a private text');
    await world.dispatcher.drain();
    expect(await handleOf(id).result()).toBe('delivered');

    const events = await historyOf(id);
    expect(events).toHaveLength(6);
    expect(events[0]?.workflowExecutionStartedEventAttributes?.eagerExecutionAccepted).toBe(true);
    expect(events.filter(({ markerRecordedEventAttributes: marker }) => marker)).toHaveLength(1);
    const text = Buffer.from(
      JSON.stringify(events, (_, value) => (value?.type === 'Buffer' ? String(Buffer.from(value.data)) : value)),
    );
    for (const hidden of ['private', '127.0.0.1']) expect(text.includes(hidden)).toBe(false);

    const description = await handleOf(id).describe();
    expect(description.type).toBe('deliverEvent');
    expect(await description.staticSummary()).toBe(`new_message to ${showId('webhook', webhookId)}, variant A`);
  });

  test('failed once, it sleeps on a timer that says what it waits for, and is found by its status', async () => {
    receiver.respondWith(503);
    const webhookId = await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.dispatcher.drain();
    await world.firstAttempt(id);
    const query = `WebhookId = "${showId('webhook', webhookId)}" AND DeliveryStatus = "retrying"`;
    const found = () => Array.fromAsync(temporal.client.workflow.list({ query }));
    await vi.waitUntil(async () => (await found()).length === 1, { timeout: 10_000, interval: 50 });

    const [workflow] = await found();
    expect(workflow?.workflowId).toBe(handleOf(id).workflowId);
    const summaries = (await historyOf(id)).flatMap(({ userMetadata }) => {
      const data = userMetadata?.summary?.data;
      return data ? [JSON.parse(Buffer.from(data).toString())] : [];
    });
    expect(summaries).toEqual(expect.arrayContaining(['attempt 1 of 6', 'retry 1 of 5 in 30 s']));
    expect(await timersOf(temporal.client, handleOf(id).workflowId)).toEqual([30_000]);
    const metadata = await handleOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(metadata.currentDetails).toMatch(
      /^\*\*Attempt 1 of 6 failed\*\*: answered 503 after \d+ ms\. Attempt 2 at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\.$/,
    );
    await handleOf(id).signal('cancel');
    expect(await handleOf(id).result()).toBe('cancelled');
  });

  test('terminated while it slept, it goes on in a workflow of its own, without an attempt made twice', async () => {
    receiver.respondWith([500, 200]);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.dispatcher.drain();
    await world.firstAttempt(id);
    await handleOf(id).terminate('an operator did');
    await world.db`update deliveries set sweep_at = now(), next_attempt_at = now() + interval '1 s' where id = ${id}`;
    expect(await world.sweep()).toBe(1);
    const resumed = temporal.client.workflow.getHandle(`${handleOf(id).workflowId}/resume/1`);
    expect(await resumed.result()).toBe('delivered');

    const attempts = await world.attempts(id);
    expect(attempts.map(({ number, outcome }) => `${number} ${outcome}`)).toEqual(['1 failed', '2 succeeded']);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', resumes: 1 });
  });

  test('the sweep leaves a workflow alone that runs', async () => {
    receiver.respondWith(500);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.dispatcher.drain();
    await world.firstAttempt(id);
    await world.db`update deliveries set sweep_at = now() where id = ${id}`;
    expect(await world.sweep()).toBe(0);
    expect(await world.delivery(id)).toMatchObject({ resumes: 0 });
    await handleOf(id).signal('cancel');
    await handleOf(id).result();
  });

  test('a fault of ours in the local first attempt falls through to an ordinary one, in the same workflow', async () => {
    receiver.respondWith(200);
    await world.aWebhook({ url: receiver.url('/hook') });
    const [id = ''] = await world.anEvent();
    await world.db`alter table webhooks rename to webhooks_away`;
    await world.dispatcher.drain();
    const events = async () => (await historyOf(id)).filter(({ activityTaskScheduledEventAttributes: it }) => it);
    await vi.waitUntil(async () => (await events()).length === 1, { timeout: 10_000, interval: 50 });
    await world.db`alter table webhooks_away rename to webhooks`;
    expect(await handleOf(id).result()).toBe('delivered');
    expect(await world.attempts(id)).toHaveLength(1);
    expect(await world.delivery(id)).toMatchObject({ status: 'delivered', resumes: 0 });
  });

  test('delivery after delivery is local: each gives its place back when its attempt has ended', async () => {
    receiver.respondWith(200);
    await world.aWebhook({ url: receiver.url('/hook') });
    for (let count = 0; count < 3 * firstAttemptsPerWebhook; count += 1) {
      const [id = ''] = await world.anEvent();
      await world.dispatcher.drain();
      await handleOf(id).result();
      expect(await historyOf(id)).toHaveLength(6);
    }
  });

  test('behind a receiver that hangs, deliveries become ordinary ones after a moment, and none is lost', async () => {
    receiver.respondWith({ type: 'respond', delayMs: 4_000 });
    await world.aWebhook({ url: receiver.url('/hook') });
    const ids: string[] = [];
    for (let count = 0; count < 2 * firstAttemptsPerWebhook; count += 1) ids.push(...(await world.anEvent()));
    await world.dispatcher.drain();
    expect(new Set(await Promise.all(ids.map((id) => handleOf(id).result())))).toEqual(new Set(['delivered']));
    const lengths = await Promise.all(ids.map(async (id) => (await historyOf(id)).length));
    expect(lengths.filter((length) => length === 6)).toHaveLength(firstAttemptsPerWebhook);
    expect(lengths.filter((length) => length > 6)).toHaveLength(firstAttemptsPerWebhook);
  });
});
