import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { replayDelivery } from '../../src/shared/deliveries/replay.ts';
import { newUuid, showId } from '../../src/shared/ids.ts';
import {
  changeReplay,
  createReplay,
  getReplay,
  type AskedFilter,
  type ReplayRequest,
} from '../../src/shared/replays/manage.ts';
import { aDelivery } from '../helpers/deliveries.ts';
import { startDeliveryWorld, type DeliveryWorld } from '../helpers/delivery-world.ts';
import { startReceiver, type Receiver } from '../helpers/receiver.ts';
import { runWorkers, startDevServer, type DevServer, type RunningWorkers } from '../helpers/temporal.ts';

describe("replays on Temporal's dev server", () => {
  let temporal: DevServer;
  let world: DeliveryWorld;
  let receiver: Receiver;
  let workers: RunningWorkers;
  let webhookId: string;

  beforeAll(async () => {
    [temporal, world, receiver] = await Promise.all([startDevServer(), startDeliveryWorld(), startReceiver()]);
    world.useClient(temporal.client);
    workers = await runWorkers(temporal, world.activities);
  });

  beforeEach(async () => {
    await world.db`delete from deliveries`;
    await world.db`update webhooks set deleted_at = now()`;
    receiver.respondWith(200);
    webhookId = await world.aWebhook({ url: receiver.url('/hook') });
  });

  afterAll(async () => {
    await workers.stop();
    await Promise.all([world.stop(), receiver.close(), temporal.stop()]);
  });

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

  const change = (id: string, request: ReplayRequest) =>
    world.transact((tx) => changeReplay(tx, scope(), { id, request }));

  const read = (id: string) => getReplay(world.db, scope(), id);

  const workflowOf = (id: string, resumes = 0) =>
    temporal.client.workflow.getHandle(`replay/${showId('replay', id)}${resumes > 0 ? `/resume/${resumes}` : ''}`);

  /** How often each delivery has arrived. */
  const arrivals = (ids: readonly string[]) =>
    ids.map((id) => receiver.requests.filter(({ headers }) => headers['webhook-id'] === showId('delivery', id)).length);

  const replayed = (id: string, count: number) =>
    vi.waitUntil(async () => (await read(id)).replayed >= count, { timeout: 15_000, interval: 20 });

  const allDelivered = (ids: readonly string[]) =>
    vi.waitUntil(
      async () => {
        const rows = await world.db`select 1 from deliveries where id = any(${[...ids]}) and status = 'delivered'`;
        return rows.length === ids.length;
      },
      { timeout: 15_000, interval: 20 },
    );

  test('one delivery goes out again with its id and bytes, in a workflow of its round', async () => {
    const [id = ''] = await several(1);
    const { body } = await world.delivery(id);
    await world.transact((tx) => replayDelivery(tx, scope(), id));
    await world.dispatcher.drain();
    expect(await temporal.client.workflow.getHandle(`delivery/${showId('delivery', id)}/round/2`).result()).toBe(
      'delivered',
    );
    const [request] = receiver.requests.filter(({ headers }) => headers['webhook-id'] === showId('delivery', id));
    expect(request?.rawBody).toEqual(Buffer.from(body));
    expect(await world.attempts(id)).toMatchObject([{ round: 2, number: 1, outcome: 'succeeded' }]);
  });

  test('exactly what the filter names goes out, once each, and what is in progress is left alone', async () => {
    const failed = await several(5);
    const others = [
      ...(await several(2, 'dropped')),
      ...(await several(2, 'failed', await world.aWebhook({ url: receiver.url('/') }))),
    ];
    const [busy = ''] = failed.splice(2, 1);
    await world.db`update deliveries set sweep_at = now() + interval '1 hour' where id = ${busy}`;
    const { id, total } = await start({ pace: 2 });
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
    const { currentDetails } = await workflowOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata');
    expect(currentDetails).toBe('**4 of 5** replayed, 1 skipped. finished.');
  });

  test('terminated midway, the sweep has it go on, and none goes out twice', async () => {
    // Delivered ones match the filter also after their replay: nothing but the replay's own cursor tells them apart.
    const ids = await several(5, 'delivered');
    await world.db`update deliveries set succeeded_at = now()`;
    const { id } = await start({ pace: 2, statuses: ['delivered'] });
    await replayed(id, 2);
    await workflowOf(id).terminate('an operator did');
    const { replayed: before } = await read(id);
    expect(before).toBeLessThan(5);
    await world.db`update replays set sweep_at = now() where id = ${id}`;
    expect(await world.sweep()).toBe(1);
    expect(await workflowOf(id, 1).result()).toBe('finished');
    await vi.waitUntil(() => arrivals(ids).every((count) => count > 0), { timeout: 15_000, interval: 20 });
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
    await world.db`update replays set sweep_at = now() where id = ${id}`;
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
    await several(6);
    const { id } = await start({ pace: 1 });
    await replayed(id, 1);
    await change(id, 'pause');
    await change(id, 'resume');
    expect(await workflowOf(id).result()).toBe('superseded');
    await change(id, 'cancel');
    expect(await workflowOf(id, 1).result()).toBe('cancelled');
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

  test('when its webhook is disabled it pauses and says why; deleted, it is cancelled; other webhooks are skipped', async () => {
    await several(3);
    const reachable = await world.aWebhook({ url: receiver.url('/other') });
    const [sent = ''] = await several(1, 'failed', reachable);
    const disable = { status: 'disabled', disabled_reason: 'failures', disabled_at: new Date() };
    const { id } = await start({ pace: 1 });
    await replayed(id, 1);
    await world.db`update webhooks set ${world.db(disable)} where id = ${webhookId}`;
    expect(await workflowOf(id).result()).toBe('paused');
    expect(await read(id)).toMatchObject({ status: 'paused', stopReason: 'webhook_disabled' });
    await expect(change(id, 'resume')).rejects.toThrow('is disabled');

    const everywhere = await start({ webhookId: null });
    expect(await workflowOf(everywhere.id).result()).toBe('finished');
    await allDelivered([sent]);
    const { total, replayed: begun, skipped } = await read(everywhere.id);
    expect({ begun, skipped }).toEqual({ begun: 1, skipped: total - 1 });

    await world.db`update webhooks set status = 'active', disabled_reason = null, disabled_at = null where id = ${webhookId}`;
    await change(id, 'resume');
    await world.db`update webhooks set deleted_at = now() where id = ${webhookId}`;
    await world.dispatcher.drain();
    expect(await workflowOf(id, 1).result()).toBe('cancelled');
    expect(await read(id)).toMatchObject({ status: 'cancelled', stopReason: 'webhook_deleted' });
  });

  test('behind a thousand rounds in progress it waits, and adds none', async () => {
    const [id = ''] = await several(1);
    await world.db`
      insert into deliveries (id, account_id, webhook_id, event_id, event_name, variant, body, status, sweep_at)
      select uuidv7(), ${world.accountId}, ${webhookId}, ${newUuid()}, 'new_message', 'api', '', 'retrying', now() + interval '1 hour'
      from generate_series(1, 1000)`;
    const replay = await start();
    const batch = { replayId: showId('replay', replay.id), resumes: 0 };
    expect(await world.activities.replayBatch(batch)).toEqual({ type: 'more', total: 1, replayed: 0, skipped: 0 });
    await world.db`update deliveries set sweep_at = null, status = 'cancelled' where id <> ${id}`;
    expect(await workflowOf(replay.id).result()).toBe('finished');
    await allDelivered([id]);
  });
});
