import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { replayDelivery } from '../../src/shared/deliveries/replay.ts';
import { showId } from '../../src/shared/ids.ts';
import { takeBatch } from '../../src/shared/replays/batch.ts';
import {
  changeReplay,
  createReplay,
  getReplay,
  type AskedFilter,
  type ReplayAction,
} from '../../src/shared/replays/manage.ts';
import { aDelivery, manyDeliveries } from '../helpers/deliveries.ts';
import { startLiveWorld, type LiveWorld } from '../helpers/live-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { shownOf } from '../helpers/temporal.ts';
import { movePlan } from '../helpers/states/accounts.ts';
import { emptyLog, skipToRound } from '../helpers/states/deliveries.ts';
import { activateWebhook, removeWebhook, retireWebhooks, disableWebhook } from '../helpers/states/webhooks.ts';
import { cancelDelivery } from '../../src/shared/deliveries/actions.ts';
import { makeReplayOverdue } from '../helpers/states/replays.ts';
import { untold } from '../helpers/untold.ts';
import { toldTransact } from '../helpers/told-topics.ts';

describe("replays on Temporal's dev server", () => {
  let temporal: LiveWorld['temporal'];
  let world: LiveWorld['world'];
  let live: LiveWorld;
  let receiver: Receiver;
  let webhookId: string;
  /** When each delivery was handed to the dispatcher last, in ms. */
  const handedAtMs = new Map<string, number>();

  beforeAll(async () => {
    live = await startLiveWorld({
      onDispatch: (items) => {
        for (const { row } of items) handedAtMs.set(row.id, performance.now());
      },
    });
    ({ temporal, world } = live);
    receiver = await startReceiver();
  });

  beforeEach(async () => {
    await emptyLog(world.db);
    await retireWebhooks(world.db);
    receiver.respondWith(200);
    webhookId = await world.aWebhook({ url: receiver.url('/hook') });
  });

  afterAll(() => Promise.all([live.stop(), receiver.close()]));

  const scope = () => ({ accountId: world.accountId, variants: ['api', 'dashboard'] }) as const;

  const several = async (
    count: number,
    status: Parameters<typeof aDelivery>[1]['status'] = 'failed',
    id = webhookId,
  ) => {
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const fields = { accountId: world.accountId, webhookId: id, status };
      ids.push(await aDelivery(world.db, { ...fields, body: `{"number":${number}}` }));
    }
    return ids;
  };

  const start = async (filter: Partial<AskedFilter & { pace: number }> = {}) => {
    const asked = { webhookId, statuses: ['failed'], since: null, until: null, pace: 200, ...filter } as const;
    const replay = await world.transact((tx) => createReplay(tx, scope(), asked));
    await world.dispatcher.drain();
    return replay;
  };

  const change = (id: string, action: ReplayAction) =>
    world.transact((tx) => changeReplay(tx, scope(), { id, action }));

  const read = (id: string) => getReplay(world.db, scope(), id);

  const workflowOf = (id: string, resumes = 0) =>
    temporal.client.workflow.getHandle(`replay/${showId('replay', id)}${resumes > 0 ? `/resume/${resumes}` : ''}`);

  /** How often each delivery has arrived. */
  const arrivals = (ids: readonly string[]) =>
    ids.map((id) => receiver.requests.filter(({ headers }) => headers['webhook-id'] === showId('delivery', id)).length);

  const replayed = (id: string, count: number) =>
    vi.waitUntil(async () => (await read(id)).replayed >= count, { timeout: 60_000, interval: 20 });

  const allDelivered = (ids: readonly string[]) =>
    vi.waitUntil(
      async () => {
        const rows = await world.db`select 1 from deliveries where id = any(${[...ids]}) and status = 'delivered'`;
        return rows.length === ids.length;
      },
      { timeout: 60_000, interval: 20 },
    );

  test('one delivery goes out again with its id and bytes, in a workflow of its round', async () => {
    const [id = ''] = await several(1);
    const { body } = await world.delivery(id);
    await world.transact((tx) => replayDelivery(tx, scope(), id));
    await world.drain();
    expect(
      await temporal.client.workflow.getHandle(`delivery/${showId('delivery', id)}/round/2`).result(),
    ).toMatchObject({
      status: 'delivered',
    });
    const [request] = receiver.requests.filter(({ headers }) => headers['webhook-id'] === showId('delivery', id));
    expect(request?.rawBody).toEqual(Buffer.from(body));
    expect(await world.attempts(id)).toMatchObject([{ round: 2, number: 1, outcome: 'succeeded' }]);
  });

  test('one that has had its hundred rounds is skipped, and counted as that', async () => {
    const [spent = '', ...others] = await several(3);
    await skipToRound(world.db, spent, 100);
    const { id } = await start();
    expect(await workflowOf(id).result()).toBe('finished');
    await allDelivered(others);
    expect(arrivals([spent])).toEqual([0]);
    expect(await read(id)).toMatchObject({ total: 3, replayed: 2, skipped: 1 });
    expect(await world.delivery(spent)).toMatchObject({ status: 'failed', sweepAt: null });
  });

  test('exactly what the filter names goes out, once each, and what is in progress is left alone', async () => {
    const failed = await several(4);
    const others = [
      ...(await several(2, 'dropped')),
      ...(await several(2, 'failed', await world.aWebhook({ url: receiver.url('/') }))),
    ];
    // A delivered one matches the filter also while it is sent again.
    const [busy = ''] = await several(1, 'delivered');
    await toldTransact(world.db)((tx) => replayDelivery(tx, scope(), busy));
    const { id, total } = await start({ pace: 2, statuses: ['failed', 'delivered'] });
    const later = await several(2);
    expect(total).toBe(5);
    expect(await workflowOf(id).result()).toBe('finished');
    await allDelivered(failed);

    expect(arrivals(failed)).toEqual([1, 1, 1, 1]);
    expect(arrivals([...others, busy, ...later])).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(await read(id)).toMatchObject({ status: 'finished', total: 5, replayed: 4, skipped: 1, stopReason: null });
    const description = await workflowOf(id).describe();
    expect(description.taskQueue).toBe('maintenance');
    expect(await description.staticSummary()).toBe(
      `replay of 5 deliveries to ${showId('webhook', webhookId)}, 2 a second`,
    );
    const { details, summaries } = await shownOf(temporal.client, workflowOf(id).workflowId);
    expect(details).toBe('**finished**: 4 of 5 replayed, 1 skipped.');
    expect(summaries).toContain('from its recorded progress');
  });

  test("it and its activities take the account's turn among replays", async () => {
    await several(1);
    const { id } = await start();
    expect(await workflowOf(id).result()).toBe('finished');
    const { events } = await workflowOf(id).fetchHistory();
    const keys = (events ?? []).flatMap((event) => {
      const attributes = event.workflowExecutionStartedEventAttributes ?? event.activityTaskScheduledEventAttributes;
      return attributes ? [attributes.priority?.fairnessKey] : [];
    });
    expect(keys).toEqual([showId('account', world.accountId), showId('account', world.accountId)]);
  });

  test('terminated midway, the sweep has it go on, and none goes out twice', async () => {
    // Delivered ones match the filter also after their replay: nothing but the replay's own cursor tells them apart.
    const ids = await several(5, 'delivered');
    const { id } = await start({ pace: 2, statuses: ['delivered'] });
    await replayed(id, 2);
    await workflowOf(id).terminate('an operator did');
    const { replayed: before } = await read(id);
    expect(before).toBeLessThan(5);
    // The stretch that was under way goes on for its seconds, and each of its batches puts the sweep off.
    const finished = async () => {
      await makeReplayOverdue(world.db, id);
      await world.sweep();
      return (await read(id)).status === 'finished';
    };
    await vi.waitUntil(finished, { timeout: 60_000, interval: 20 });
    expect(await workflowOf(id, 1).result()).toBe('finished');
    await vi.waitUntil(() => arrivals(ids).every((count) => count > 0), { timeout: 60_000, interval: 20 });
    expect(arrivals(ids)).toEqual([1, 1, 1, 1, 1]);
    expect(await read(id)).toMatchObject({ status: 'finished', replayed: 5, resumes: 1 });
  });

  test('begun while Temporal is away, it is begun by the sweep', async () => {
    world.useClient(undefined);
    onTestFinished(() => world.useClient(temporal.client));
    const ids = await several(1);
    const { id } = await start();
    await world.dispatcher.drain();
    world.useClient(temporal.client);
    await makeReplayOverdue(world.db, id);
    expect(await world.sweep()).toBe(1);
    expect(await workflowOf(id).result()).toBe('finished');
    await allDelivered(ids);
  });

  test('paused, nothing more goes out until it is resumed, from where it was', async () => {
    const ids = await several(3);
    const { id } = await start({ pace: 1 });
    await replayed(id, 1);
    const { replayed: at } = await change(id, 'pause');
    expect(await workflowOf(id).result()).toBe('paused');
    expect(await read(id)).toMatchObject({ status: 'paused', replayed: at, stopReason: null });
    expect(await world.sweep()).toBe(0);
    await change(id, 'resume');
    await world.dispatcher.drain();
    expect(await workflowOf(id, 1).result()).toBe('finished');
    await allDelivered(ids);
    expect(arrivals(ids)).toEqual([1, 1, 1]);
  });

  test('paused and resumed at once, the workflow from before makes way for the new one', async () => {
    // More than are sent while the workers stop.
    await several(40);
    const { id } = await start({ pace: 1 });
    await replayed(id, 1);
    // Nobody works meanwhile: a workflow that is quick ends as paused.
    await live.stopWorkers();
    await change(id, 'pause');
    await change(id, 'resume');
    await world.dispatcher.drain();
    await live.startWorkers();
    expect(await workflowOf(id).result()).toBe('superseded');
    await change(id, 'cancel');
    expect(await workflowOf(id, 1).result()).toBe('cancelled');
  });

  test('a pause that the workflow from before is late to carry out leaves the resumed replay at work', async () => {
    const ids = await several(3);
    await live.stopWorkers();
    const { id } = await start({ pace: 2 });
    await workflowOf(id).signal('pause');
    await change(id, 'pause');
    await change(id, 'resume');
    await world.dispatcher.drain();
    await live.startWorkers();
    expect(await workflowOf(id).result()).toBe('superseded');
    expect(await workflowOf(id, 1).result()).toBe('finished');
    await allDelivered(ids);
    expect(arrivals(ids)).toEqual([1, 1, 1]);
  });

  test('a pause that is carried out once more leaves a replay that was resumed meanwhile at work', async () => {
    await several(1);
    world.useClient(undefined);
    onTestFinished(() => world.useClient(temporal.client));
    const { id } = await start();
    const replayId = showId('replay', id);
    const { stopReplay } = world.activities;
    expect(await stopReplay(replayId, 'paused', 0)).toMatchObject({ type: 'paused' });
    expect(await stopReplay(replayId, 'paused', 0)).toMatchObject({ type: 'paused' });
    await change(id, 'resume');
    expect(await stopReplay(replayId, 'paused', 0)).toMatchObject({ type: 'superseded' });
    expect(await stopReplay(replayId, 'cancelled', 0)).toMatchObject({ type: 'superseded' });
    expect(await read(id)).toMatchObject({ status: 'running', resumes: 1 });
    expect(await stopReplay(replayId, 'cancelled', 1)).toMatchObject({ type: 'cancelled' });
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
  });

  test('resumed, it sends what was parked again behind it, and nothing else of what it had begun', async () => {
    world.useClient(undefined);
    onTestFinished(() => world.useClient(temporal.client));
    const [parkedAgain = '', parkedAfterOne = '', failedAgain = '', delivered = '', next = ''] = await several(5);
    const { id } = await start();
    // Nobody is handed what it begins: the test makes the attempts.
    const transact = toldTransact(world.db);
    const batch = (limit: number) => transact((tx) => takeBatch(tx, { replayId: id, resumes: 0, limit }));
    expect(await batch(4)).toMatchObject({ type: 'more', replayed: 4 });
    const roundOf = (uuid: string) => ({ deliveryId: showId('delivery', uuid), round: 2 });
    const attempt = (uuid: string, number = 1) => world.attempt({ ...roundOf(uuid), kind: 'scheduled', number });
    await attempt(delivered);
    receiver.respondWith(500);
    await attempt(parkedAfterOne);
    await world.activities.dropDelivery(roundOf(failedAgain));
    const others = await several(1, 'parked');
    await disableWebhook(world.db, webhookId);
    expect(await attempt(parkedAgain)).toEqual({ type: 'stopped', status: 'parked' });
    expect(await attempt(parkedAfterOne, 2)).toEqual({ type: 'stopped', status: 'parked' });
    expect(await batch(4)).toMatchObject({ type: 'paused' });

    receiver.respondWith(200);
    await activateWebhook(world.db, webhookId);
    world.useClient(temporal.client);
    await change(id, 'resume');
    await world.dispatcher.drain();
    expect(await workflowOf(id, 1).result()).toBe('finished');
    await allDelivered([parkedAgain, parkedAfterOne, delivered, next]);
    expect(arrivals([parkedAgain, parkedAfterOne, failedAgain, delivered, next])).toEqual([1, 2, 0, 1, 1]);
    expect(arrivals(others)).toEqual([0]);
    expect(await read(id)).toMatchObject({ status: 'finished', total: 5, replayed: 5, skipped: 0 });
  });

  test("the signals and a cancellation in Temporal's UI stop it, in the database as well", async () => {
    await several(4);
    const { id } = await start({ pace: 1 });
    await replayed(id, 1);
    await workflowOf(id).signal('pause');
    expect(await workflowOf(id).result()).toBe('paused');
    expect((await read(id)).status).toBe('paused');
    await change(id, 'resume');
    await world.dispatcher.drain();
    await replayed(id, 2);
    await workflowOf(id, 1).cancel();
    expect(await workflowOf(id, 1).result()).toBe('cancelled');
    expect(await read(id)).toMatchObject({ status: 'cancelled' });

    const other = await start({ pace: 1 });
    await replayed(other.id, 1);
    await workflowOf(other.id).signal('cancel');
    expect(await workflowOf(other.id).result()).toBe('cancelled');
  });

  test('when its webhook is disabled it pauses and says why; deleted, it is cancelled; a replay to all passes it by', async () => {
    await several(3);
    const reachable = await world.aWebhook({ url: receiver.url('/other') });
    const [sent = ''] = await several(1, 'failed', reachable);
    const { id } = await start({ pace: 1 });
    await replayed(id, 1);
    // It stays active when what was replayed succeeds at that moment.
    await vi.waitUntil(() => disableWebhook(world.db, webhookId), { timeout: 60_000, interval: 20 });
    expect(await workflowOf(id).result()).toBe('paused');
    expect(await read(id)).toMatchObject({ status: 'paused', stopReason: 'webhook_disabled' });
    await expect(change(id, 'resume')).rejects.toThrow('is disabled');

    const everywhere = await start({ webhookId: null });
    expect(await workflowOf(everywhere.id).result()).toBe('finished');
    await allDelivered([sent]);
    expect(await read(everywhere.id)).toMatchObject({ total: 1, replayed: 1, skipped: 0 });

    await activateWebhook(world.db, webhookId);
    await change(id, 'resume');
    await removeWebhook(world.db, webhookId);
    await world.dispatcher.drain();
    expect(await workflowOf(id, 1).result()).toBe('cancelled');
    expect(await read(id)).toMatchObject({ status: 'cancelled', stopReason: 'webhook_deleted' });
  });

  const inProgress = (count: number, { webhook, round }: { webhook: string; round: number }) =>
    manyDeliveries(world.db, { accountId: world.accountId, webhookId: webhook, status: 'retrying', round, count });

  test('behind a thousand replayed rounds in progress it waits, and adds none', async () => {
    const [id = ''] = await several(1);
    await inProgress(1_000, { webhook: webhookId, round: 2 });
    const replay = await start();
    const stretch = { replayId: showId('replay', replay.id), resumes: 0 };
    expect(await world.activities.replayBatches(stretch)).toEqual({ type: 'more', total: 1, replayed: 0, skipped: 0 });
    const others = await world.db<{ id: string }[]>`select id from deliveries where in_progress`;
    await Promise.all(others.map((other) => cancelDelivery(untold(world.db), scope(), other.id)));
    expect(await workflowOf(replay.id).result()).toBe('finished');
    await allDelivered([id]);
  });

  test('what else is in progress does not hold it up: first rounds, and the rounds of another webhook', async () => {
    const ids = await several(1);
    await inProgress(1_000, { webhook: webhookId, round: 1 });
    await inProgress(1_000, { webhook: await world.aWebhook({ url: receiver.url('/') }), round: 2 });
    const replay = await start();
    expect(await workflowOf(replay.id).result()).toBe('finished');
    await allDelivered(ids);
  });

  test('its deliveries begin evenly at its pace, not all at once', async () => {
    const ids = await several(20);
    const { id } = await start({ pace: 10 });
    expect(await workflowOf(id).result()).toBe('finished');
    await allDelivered(ids);
    // These bounds hold on any machine: a pause of it makes up for at most two turns, and the first of a batch waits for its row.
    const times = ids.map((uuid) => handedAtMs.get(uuid) ?? 0);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect((times.at(-1) ?? 0) - (times[1] ?? 0)).toBeGreaterThan(1_550);
    const most = Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 500).length));
    expect(most).toBeLessThanOrEqual(8);
  });

  test('while the plan is lapsed a replay to all webhooks pauses, and passes nothing over', async () => {
    const ids = await several(2);
    const { id } = await start({ webhookId: null, pace: 1 });
    await allDelivered(ids.slice(0, 1));
    await movePlan(world.db, world.accountId, 'free');
    onTestFinished(() => movePlan(world.db, world.accountId, 'pro'));
    expect(await workflowOf(id).result()).toBe('paused');
    expect(await read(id)).toMatchObject({ stopReason: 'plan_lapsed', replayed: 1, skipped: 0 });
    await movePlan(world.db, world.accountId, 'pro');
    await change(id, 'resume');
    await world.dispatcher.drain();
    expect(await workflowOf(id, 1).result()).toBe('finished');
    await allDelivered(ids);
  });
});
